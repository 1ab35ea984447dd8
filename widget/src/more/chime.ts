/** Two short synthesized tones, so that there is no file to load. Silent until the browser allows sound. */
export function chime() {
  const audio = new AudioContext()
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const start = audio.currentTime + index * 0.12
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.06, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.25)
  }
  setTimeout(() => audio.close(), 1000)
}
