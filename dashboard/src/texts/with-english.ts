import type { Partially } from './texts-type.ts'

/** What a language has, and in English what it lacks. */
export function withEnglish<T>(english: T, translation: Partially<T> | undefined): T {
  if (translation === undefined) return english
  if (typeof english !== 'object' || english === null || Array.isArray(english)) return translation as T
  // English lacks some, too: what the server says is in English already.
  const names = Object.keys({ ...english, ...translation }) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, withEnglish(english[name], translation[name])])) as T
}

/** Paths of the texts that the second lacks of the first. */
export function missingTexts(whole: object, part: object, path = ''): string[] {
  const fields = part as Record<string, unknown>
  return Object.entries(whole).flatMap(([name, text]) => {
    const inner = fields[name]
    if (inner === undefined) return [path + name]
    const isGroup = typeof text === 'object' && !Array.isArray(text)
    return isGroup ? missingTexts(text, inner as object, `${path}${name}.`) : []
  })
}
