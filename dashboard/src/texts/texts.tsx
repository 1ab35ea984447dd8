// The texts of the interface: a folder per language, loaded on demand, and filled up from English (english-fallback.ts).
import { TEAM_LANGUAGES, type TeamLanguage } from '@docent/contract/languages'
import { createContext, useContext } from 'react'
import { loadWhenReachable } from '../shell/load-screen.ts'
import type { Texts, Translation } from './texts-type.ts'

export const languages = TEAM_LANGUAGES
export type InterfaceLanguage = TeamLanguage

const STORAGE_KEY = 'docent-language'

export function currentLanguage(): InterfaceLanguage {
  const storedLanguage = localStorage.getItem(STORAGE_KEY)
  const preferredLanguages = [storedLanguage, ...navigator.languages].map((each) => each?.slice(0, 2))
  return preferredLanguages.find((each): each is InterfaceLanguage => Object.hasOwn(languages, each ?? '')) ?? 'en'
}

/** Reloads the page in the new language. */
export function switchLanguage(language: InterfaceLanguage) {
  localStorage.setItem(STORAGE_KEY, language)
  location.reload()
}

/** Texts in the interface language, with the type of the English ones; in English if the language has none of them. */
export async function loadTexts<T>(load: (language: InterfaceLanguage) => Promise<unknown>): Promise<Translation<T>> {
  const loadIn = (language: InterfaceLanguage) => loadWhenReachable(() => load(language))()
  return (await loadIn(currentLanguage()).catch(() => loadIn('en'))) as Translation<T>
}

const TextsContext = createContext<Texts | null>(null)
export const TextsProvider = TextsContext.Provider

export function useTexts(): Texts {
  const texts = useContext(TextsContext)
  if (!texts) throw new Error('No texts were loaded.')
  return texts
}
