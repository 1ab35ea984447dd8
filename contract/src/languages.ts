// The one list of languages. What each needs, and where, is in "Add a language" in CONTRIBUTING.md;
// server/test/understand/languages.test.ts proves that it is there. Without imports, because the dashboard loads this file
// without the schemas.

/** What bots speak. */
export const BOT_LANGUAGES = [
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

/** What the widget, and emails to its visitors, are in. */
export const WIDGET_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ar', 'zh', 'ja'] as const
export type WidgetLanguage = (typeof WIDGET_LANGUAGES)[number]

/** What the dashboard, and notifications of the team, are in, each by its own name. */
export const TEAM_LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
} as const
export type TeamLanguage = keyof typeof TEAM_LANGUAGES
