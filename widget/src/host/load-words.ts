import { Refusal } from '../chat/server.ts'
import type { Words } from './words.ts'

const languages = 'en de fr es it pt nl pl sv tr ar zh ja'.split(' ')

export interface Speech {
  words: Words
  language: string
  direction: 'ltr' | 'rtl'
}

/** The visitor's first language that is supported, or English. */
export function pickLanguage(wanted: readonly string[]): string {
  const primary = wanted.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '')
  return primary.find((language) => languages.includes(language)) ?? 'en'
}

export async function loadWords(server: string, wanted: readonly string[]): Promise<Speech> {
  const language = pickLanguage(wanted)
  const answer = await fetch(`${server}/widget/${language}.json`, { credentials: 'omit' })
  if (!answer.ok) throw new Refusal(answer.status)
  return { words: await answer.json(), language, direction: language === 'ar' ? 'rtl' : 'ltr' }
}
