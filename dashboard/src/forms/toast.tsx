import { notifications } from '@mantine/notifications'

export function toast(message: string, tone: 'good' | 'bad' = 'good') {
  // By its text, so that two changes saved with one button are not reported twice.
  const id = `${tone} ${message}`
  notifications.show({ id, message, color: tone === 'bad' ? 'red' : 'teal', autoClose: tone === 'bad' ? 9000 : 4000 })
}
