// "Can they get new soles and how much is it?" asks two things, which may be answered in different places.
import { byLanguage } from '../../language/languages.ts'

const clauses = byLanguage(({ questions: { clauseStart, clauseJoin } }) => {
  if (clauseStart === undefined || clauseJoin === undefined) return undefined
  return {
    joint: new RegExp(String.raw`[,;]?\s+(?:${clauseJoin})\s+(?=(?:${clauseStart})(?![\p{L}]))`, 'iu'),
    asks: new RegExp(String.raw`(?<!\p{L})(?:${clauseStart})(?!\p{L})`, 'iu'),
  }
})

/** The questions in a message, at most three; usually one. */
export function questionParts(text: string, language: string): string[] {
  const joint = clauses(language)?.joint
  const parts = text
    .split(/(?<=[?？؟])\s*/u)
    .flatMap((part) => (joint ? part.split(joint) : [part]))
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length < 2 || parts.length > 3 ? [text] : parts
}

/** The clauses of a message that ask something, without the text around them; the whole text if none does. */
export function askingText(text: string, language: string): string {
  const asks = clauses(language)?.asks
  if (!asks) return text
  const asking = text.split(/(?<=[,;.!?])\s+/).filter((clause) => asks.test(clause))
  return asking.length > 0 ? asking.join(' ') : text
}
