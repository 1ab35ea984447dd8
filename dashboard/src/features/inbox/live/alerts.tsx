// What alerts the user on this device when something happens in the inbox: browser notifications and a sound.
import { ActionIcon, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../../../forms/toast.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'

const NOTIFY_KEY = 'docent-notify'
const SOUND_KEY = 'docent-sound'
const NOTES_HZ = [660, 880]
const NOTE_SECONDS = 0.12

function isNotifyOn(): boolean {
  return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(NOTIFY_KEY) === 'on'
}

function isSoundOn(): boolean {
  return localStorage.getItem(SOUND_KEY) === 'on'
}

/** Shows a browser notification, if turned on for this device. */
export function notify(title: string, body: string, tag: string, onOpen: () => void) {
  if (!isNotifyOn()) return
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
  const [on, setOn] = useState(isNotifyOn)
  if (!('Notification' in window)) return null
  const toggle = async () => {
    if (on) {
      localStorage.removeItem(NOTIFY_KEY)
      return setOn(false)
    }
    if ((await Notification.requestPermission()) !== 'granted') return toast(texts.notifyBlocked, 'bad')
    localStorage.setItem(NOTIFY_KEY, 'on')
    setOn(true)
    toast(texts.notifyOn)
  }
  return (
    <ToggleButton icon="bell" label={texts.notify} about={texts.notifyAbout} on={on} onToggle={() => void toggle()} />
  )
}

/** Plays two short tones, if turned on for this device. */
export function playSound() {
  if (!isSoundOn()) return
  const audio = new AudioContext()
  for (const [index, frequency] of NOTES_HZ.entries()) {
    const start = audio.currentTime + index * NOTE_SECONDS
    const note = audio.createOscillator()
    const volume = audio.createGain()
    note.frequency.value = frequency
    volume.gain.setValueAtTime(0.12, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + NOTE_SECONDS * 2)
    note.connect(volume).connect(audio.destination)
    note.start(start)
    note.stop(start + NOTE_SECONDS * 2)
  }
  setTimeout(() => void audio.close(), 1000)
}

export function SoundButton() {
  const { team: texts } = useTexts()
  const [on, setOn] = useState(isSoundOn)
  const toggle = () => {
    localStorage.setItem(SOUND_KEY, on ? 'off' : 'on')
    setOn(!on)
    // Plays a sample. Browsers allow sound only after a click.
    playSound()
  }
  return <ToggleButton icon="sound" label={texts.sound} about={texts.soundAbout} on={on} onToggle={toggle} />
}

interface ToggleProps {
  icon: IconName
  label: string
  about: string
  on: boolean
  onToggle: () => void
}

/** Turns a setting of this device on and off. */
function ToggleButton({ icon, label, about, on, onToggle }: ToggleProps) {
  return (
    <Tooltip label={about} multiline w={240}>
      <ActionIcon
        variant={on ? 'light' : 'subtle'}
        color={on ? 'teal' : 'gray'}
        size="lg"
        aria-label={label}
        aria-pressed={on}
        onClick={onToggle}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )
}
