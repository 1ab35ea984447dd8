// Parses questions written by a model and keeps only real questions: the passages it read may have told it to write
// something else.
const MAX_QUESTIONS = 5
const MIN_CHARACTERS = 8
const MAX_CHARACTERS = 200
const IS_QUESTION = /\p{L}[^?？؟]*[?？؟]$/u
// URLs, links and markup.
const FORBIDDEN =
  /[\p{Cc}<>[\]{}`@|\\]|:\/\/|\b(?:https?|mailto|tel|javascript):|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}|(?:\d[ ()/-]?){7}/iu

/** Questions by section; null if the text does not have the requested form. */
export function parseQuestions(text: string, sections: number): string[][] | null {
  const json = text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1')
  const value = parseObject(json)
  if (!value) return null
  const lists = Array.from({ length: sections }, (_, index) => value[index + 1] ?? [])
  if (!lists.every(Array.isArray) || !Object.keys(value).some((key) => Number(key) >= 1 && Number(key) <= sections)) {
    return null
  }
  return lists.map(questionsOf)
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json)
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function questionsOf(list: unknown[]): string[] {
  const found = new Map<string, string>()
  for (const one of list) {
    if (typeof one !== 'string') continue
    const question = one.replace(/\s+/g, ' ').trim()
    if (isQuestion(question) && found.size < MAX_QUESTIONS) found.set(question.toLowerCase(), question)
  }
  return [...found.values()]
}

function isQuestion(text: string): boolean {
  const isSized = text.length >= MIN_CHARACTERS && text.length <= MAX_CHARACTERS
  return isSized && IS_QUESTION.test(text) && !FORBIDDEN.test(text) && text.isWellFormed()
}
