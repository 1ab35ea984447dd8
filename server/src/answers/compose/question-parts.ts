// "Can they get new soles and how much is it?" asks two things; each may have its answer elsewhere.

const asking: Record<string, string> = {
  en: 'who|what|when|where|why|which|how|can|could|do|does|did|is|are|will|would|should|may',
  de: 'wer|was|wann|wo|warum|wieso|welche[mnrs]?|wie|kann|können|ist|sind|gibt|muss|darf|wird|haben|hat',
  es: 'quién|qué|cuándo|dónde|por qué|cuál|cómo|cuánto|cuánta|cuántos|puedo|hay|es|son',
  fr: 'qui|que|quand|où|pourquoi|quel|quelle|comment|combien|est-ce|peut|puis|y a',
  it: 'chi|che|quando|dove|perché|quale|come|quanto|quanta|posso|c’è|è|sono',
  pt: 'quem|que|quando|onde|por que|qual|como|quanto|posso|há|é|são',
  nl: 'wie|wat|wanneer|waar|waarom|welke?|hoe|hoeveel|kan|is|zijn|moet|mag',
}
const joining: Record<string, string> = {
  en: 'and|or',
  de: 'und|oder',
  es: 'y|o',
  fr: 'et|ou',
  it: 'e|o',
  pt: 'e|ou',
  nl: 'en|of',
}

/** The questions that a message asks, at most three; mostly one. */
export function questionParts(text: string, language: string): string[] {
  const code = language.slice(0, 2)
  const words = asking[code]
  const joint =
    words === undefined ? undefined : new RegExp(`[,;]?\\s+(?:${joining[code]})\\s+(?=(?:${words})(?![\\p{L}]))`, 'iu')
  const parts = text
    .split(/(?<=[?？؟])\s*/u)
    .flatMap((part) => (joint ? part.split(joint) : [part]))
    .map((part) => part.trim())
    .filter((part) => /\p{L}{2}/u.test(part))
  return parts.length < 2 || parts.length > 3 ? [text] : parts
}

/** The clauses of a message that ask something, without what is told around them; all of it where none does. */
export function askingText(text: string, language: string): string {
  const words = asking[language.slice(0, 2)]
  if (words === undefined) return text
  const asks = new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
  const clauses = text.split(/(?<=[,;.!?])\s+/).filter((clause) => asks.test(clause))
  return clauses.length > 0 ? clauses.join(' ') : text
}
