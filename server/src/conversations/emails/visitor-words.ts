// Texts of emails to visitors, in the widget's languages.
import words from './visitor-words.json' with { type: 'json' }

export type VisitorWords = (typeof words)['en']

export function visitorWords(language: string | null): VisitorWords {
  const primary = language?.toLowerCase().split(/[-_]/)[0] ?? ''
  return primary in words ? words[primary as keyof typeof words] : words.en
}

/** Whether the message comes from our transcript button. */
export function asksForTranscript(text: string): boolean {
  return buttons.has(text.trim())
}

const buttons = new Set(Object.values(words).map(({ button }) => button))
