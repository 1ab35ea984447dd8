import { useState } from 'react'
import { toast } from '../../../forms/toast.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { ToggleButton } from './toggle-button.tsx'

const STORAGE_KEY = 'docent-notify'

function isOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(STORAGE_KEY) === 'on'
}

/** Shows a browser notification, if turned on for this device. */
export function notify(title: string, body: string, tag: string, onOpen: () => void) {
  if (!isOn()) return
  try {
    // Notifications with the same tag replace each other across tabs.
    const notification = new Notification(title, { body, tag })
    notification.onclick = () => {
      window.focus()
      onOpen()
      notification.close()
    }
  } catch {
    // Mobile browsers do not support this; the count in the title remains.
  }
}

/** Browsers ask for permission only after a click. */
export function NotifyButton() {
  const { inbox: texts } = useTexts()
  const [on, setOn] = useState(isOn)
  if (!('Notification' in window)) return null
  const toggle = async () => {
    if (on) {
      localStorage.removeItem(STORAGE_KEY)
      return setOn(false)
    }
    if ((await Notification.requestPermission()) !== 'granted') return toast(texts.notifyBlocked, 'bad')
    localStorage.setItem(STORAGE_KEY, 'on')
    setOn(true)
    toast(texts.notifyOn)
  }
  return (
    <ToggleButton icon="bell" label={texts.notify} about={texts.notifyAbout} on={on} onToggle={() => void toggle()} />
  )
}
