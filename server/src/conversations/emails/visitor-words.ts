// What emails to visitors say, in the languages of the widget.
import words from './visitor-words.json' with { type: 'json' }

export type VisitorWords = (typeof words)['en']

export function visitorWords(language: string | null): VisitorWords {
  const primary = language?.toLowerCase().split(/[-_]/)[0] ?? ''
  return primary in words ? words[primary as keyof typeof words] : words.en
}

/** Whether a message is our own button, pressed. */
export function asksForTranscript(text: string): boolean {
  return buttons.has(text.trim())
}

const buttons = new Set(Object.values(words).map(({ button }) => button))
