import { english, type Words } from './words.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ar', 'zh', 'ja']

export interface Speech {
  words: Words
  language: string
  direction: 'ltr' | 'rtl'
}

/** The first of the visitor's languages that we speak. */
export function pickLanguage(wanted: readonly string[]): string {
  const primary = wanted.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '')
  return primary.find((language) => languages.includes(language)) ?? 'en'
}

/** English when the file cannot be had: a foreign word is better than none. */
export async function loadWords(server: string, wanted: readonly string[]): Promise<Speech> {
  const language = pickLanguage(wanted)
  try {
    if (language !== 'en') {
      const answer = await fetch(`${server}/widget/${language}.json`, { credentials: 'omit' })
      // Without their names, in the order of the English ones.
      const sentences: string[] = await answer.json()
      const names = Object.keys(english)
      const words = Object.fromEntries(names.map((name, index) => [name, sentences[index]])) as Words
      if (sentences.length === names.length) return { words, language, direction: language === 'ar' ? 'rtl' : 'ltr' }
    }
  } catch {}
  return { words: english, language: 'en', direction: 'ltr' }
}
