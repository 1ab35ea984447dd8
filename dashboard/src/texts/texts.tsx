// The texts of the interface. Each language is a file next to en.ts, loaded on demand.
import type { TeamLanguage } from '@docent/contract'
import { createContext, useContext } from 'react'
import type { Texts } from './texts-type.ts'

export const languages: Record<TeamLanguage, string> = { en: 'English', de: 'Deutsch' }
export type InterfaceLanguage = TeamLanguage

const STORAGE_KEY = 'docent-language'

export function currentLanguage(): InterfaceLanguage {
  const stored = localStorage.getItem(STORAGE_KEY)
  const wanted = [stored, ...navigator.languages].map((each) => each?.slice(0, 2))
  return wanted.find((each): each is InterfaceLanguage => each === 'en' || each === 'de') ?? 'en'
}

/** Reloads the page in the new language. */
export function switchLanguage(language: InterfaceLanguage) {
  localStorage.setItem(STORAGE_KEY, language)
  location.reload()
}

export async function loadTexts(language: InterfaceLanguage): Promise<Texts> {
  return language === 'de' ? (await import('./de.ts')).de : (await import('./en.ts')).en
}

const TextsContext = createContext<Texts | null>(null)
export const TextsProvider = TextsContext.Provider

export function useTexts(): Texts {
  const messages = useContext(TextsContext)
  if (!messages) throw new Error('No messages were loaded.')
  return messages
}
