import { ServerError } from '../chat/server.ts'
import type { Texts } from './texts.ts'

const languages = 'en de fr es it pt nl pl sv tr ar zh ja'.split(' ')

export interface Locale {
  texts: Texts
  language: string
  direction: 'ltr' | 'rtl'
}

/** The visitor's first language that is supported, or English. */
export function pickLanguage(languageTags: readonly string[]): string {
  const primary = languageTags.map((tag) => tag.toLowerCase().replace(/[-_].*/, ''))
  return primary.find((language) => languages.includes(language)) ?? 'en'
}

export async function loadTexts(server: string, language: string): Promise<Locale> {
  const response = await fetch(`${server}/widget/${language}.json`, { credentials: 'omit' })
  if (!response.ok) throw new ServerError(response.status)
  return { texts: await response.json(), language, direction: language === 'ar' ? 'rtl' : 'ltr' }
}
