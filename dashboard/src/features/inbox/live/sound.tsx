import { useState } from 'react'
import { useTexts } from '../../../texts/texts.tsx'
import { ToggleButton } from './toggle-button.tsx'

const STORAGE_KEY = 'docent-sound'
const NOTES_HZ = [660, 880]
const NOTE_SECONDS = 0.12

function isOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) === 'on'
}

/** Plays two short tones, if turned on for this device. */
export function playSound() {
  if (!isOn()) return
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
  const [on, setOn] = useState(isOn)
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, on ? 'off' : 'on')
    setOn(!on)
    // Plays a sample. Browsers allow sound only after a click.
    playSound()
  }
  return <ToggleButton icon="sound" label={texts.sound} about={texts.soundAbout} on={on} onToggle={toggle} />
}
