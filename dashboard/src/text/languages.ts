// Languages for a bot's content, named in the interface language.
import { currentLanguage } from '../texts/texts.tsx'

export const CONTENT_LANGUAGES = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'he', 'hi', 'hr', 'hu', 'id', 'it', 'ja'],
  ...['ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'],
]

export function contentLanguages(current?: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'language' })
  const all = current && !CONTENT_LANGUAGES.includes(current) ? [...CONTENT_LANGUAGES, current] : CONTENT_LANGUAGES
  return all.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) => a.label.localeCompare(b.label))
}
