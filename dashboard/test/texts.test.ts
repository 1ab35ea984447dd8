// The languages of the interface. What one of them lacks is shown in English, and listed here.
import { readdirSync } from 'node:fs'
import { TEAM_LANGUAGES } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { fieldSentences } from '../src/texts/de/field-sentences.ts'
import * as german from '../src/texts/de/general.ts'
import type { FieldSentences } from '../src/texts/texts-type.ts'
import { missingTexts, withEnglish } from '../src/texts/with-english.ts'

type Say = (...values: unknown[]) => string
type Text = string | readonly string[] | Say

// Told apart from the text around them, and of no number that a language inflects for.
const SAMPLES = ['⟦1⟧', '⟦2⟧', '⟦3⟧', '⟦4⟧', '⟦5⟧']
// What the server says, which is in English already: German has all of it.
const FIELD_SENTENCES = ['field-sentences.ts', 'fieldSentences']
const ERROR_CODES = ['general.ts', 'errors', 'codes']
const folder = new URL('../src/texts/', import.meta.url)
const english = await textsOf('en')
const otherLanguages = Object.keys(TEAM_LANGUAGES).filter((language) => language !== 'en')

describe.each(otherLanguages)('in %s', async (language) => {
  const ownTexts = await textsOf(language)
  const textPairs = texts(english).flatMap(([path, text]) => {
    const translation = at(ownTexts, path)
    return translation === undefined || path[0] === FIELD_SENTENCES[0]
      ? []
      : [{ path, text, translation: translation as Text }]
  })

  test('no text is missing, and none is unknown', () => {
    expect(missingTexts(english, ownTexts)).toEqual([])
    expect(missingTexts(german.errors.codes, at(ownTexts, ERROR_CODES) as object)).toEqual([])
    expect(patterns(at(ownTexts, FIELD_SENTENCES))).toEqual(patterns(fieldSentences))
    expect(missingTexts(ownTexts, english).filter((path) => !path.startsWith(ERROR_CODES.join('.')))).toEqual([])
  })

  test('a text has the type of the English one, and a function takes no more values', () => {
    const kind = (text: Text) => (Array.isArray(text) ? 'list' : typeof text)
    const takesMore = (text: Text, translation: Text) => typeof text === 'function' && translation.length > text.length
    const wrong = textPairs.filter(
      ({ text, translation }) => kind(text) !== kind(translation) || takesMore(text, translation),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('a text has the values and the placeholders of the English one, and is empty only where that is', () => {
    const wrong = textPairs.filter(({ text, translation }) => tokens(text) !== tokens(translation))
    expect(
      wrong.map(({ path, text, translation }) => `${path}: ${tokens(text)} became ${tokens(translation)}`),
    ).toEqual([])
  })
})

test('what a language lacks is in English', () => {
  const englishTexts = {
    title: 'Home',
    list: ['one'],
    menu: { open: 'Open', close: 'Close', name: (author: string) => `Of ${author}` },
  }
  const completeTexts = withEnglish(englishTexts, {
    title: 'Accueil',
    menu: { name: (author: string) => `De ${author}` },
  })
  expect(completeTexts).toMatchObject({ title: 'Accueil', list: ['one'], menu: { open: 'Open', close: 'Close' } })
  expect(completeTexts.menu.name('Ada')).toBe('De Ada')
  expect(missingTexts(englishTexts, { title: 'Accueil', menu: { close: 'Fermer' } })).toEqual([
    'list',
    'menu.open',
    'menu.name',
  ])
})

/** All texts of a language, by file and export. */
async function textsOf(language: string): Promise<Record<string, object>> {
  const files = readdirSync(new URL('en/', folder)).filter((file) =>
    readdirSync(new URL(`${language}/`, folder)).includes(file),
  )
  const modules = files.map(async (file) => [
    file,
    { ...(await import(`../src/texts/${language}/${file.slice(0, -3)}.ts`)) },
  ])
  return Object.fromEntries(await Promise.all(modules))
}

function texts(group: object, path: string[] = []): [string[], Text][] {
  return Object.entries(group).flatMap(([name, text]): [string[], Text][] =>
    typeof text === 'object' && !Array.isArray(text) ? texts(text, [...path, name]) : [[[...path, name], text]],
  )
}

function patterns(sentences: unknown): string[] {
  return (sentences as FieldSentences).map(([pattern, text]) =>
    [pattern.source, ...(text.match(/\$\d/g) ?? [])].join(' '),
  )
}

function at(group: object, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], group)
}

/** What must not change: values that a function is given, {placeholders}, and whether there is text at all. */
function tokens(text: Text): string {
  const sentence = typeof text === 'function' ? sayWithSamples(text) : [text].flat().join('\n')
  const placeholders = sentence.match(/\{\{?[\w.]+\}?\}|⟦\d⟧/g) ?? []
  return [sentence.trim() ? 'text' : 'nothing', ...[...new Set(placeholders)].sort()].join(' ')
}

function sayWithSamples(say: Say): string {
  try {
    return say(...SAMPLES)
  } catch {
    return say(...SAMPLES.map((sample) => [sample]))
  }
}
