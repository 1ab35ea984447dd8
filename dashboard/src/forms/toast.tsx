import { notifications } from '@mantine/notifications'

export function toast(message: string, tone: 'good' | 'bad' = 'good') {
  notifications.show({ message, color: tone === 'bad' ? 'red' : 'teal', autoClose: tone === 'bad' ? 9000 : 4000 })
}
