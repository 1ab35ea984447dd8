// The languages whose reference words, small talk and sentences we wrote down. Any other is treated as English.
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'tr',
  'ar',
  'ru',
  'zh',
  'ja',
] as const

export type Language = (typeof languages)[number]

export function languageOrEnglish(code: string | undefined): Language {
  const short = code?.slice(0, 2).toLowerCase()
  return languages.find((language) => language === short) ?? 'en'
}
