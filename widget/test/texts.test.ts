import { readdirSync, readFileSync } from 'node:fs'
import { WIDGET_LANGUAGES } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import { pickLanguage } from '../src/host/load-texts.ts'
import { english } from '../src/host/texts.ts'
import { moreEnglish } from '../src/more/more-texts.ts'

const folder = new URL('../languages/', import.meta.url)
const files = readdirSync(folder)

test('every language beside English has its texts, and is offered', () => {
  const translated = WIDGET_LANGUAGES.filter((language) => language !== 'en')
  expect(files.toSorted()).toEqual(translated.map((language) => `${language}.json`).toSorted())
  for (const name of files) expect(pickLanguage([name.replace('.json', '-XX')])).toBe(name.replace('.json', ''))
})

const kinds = { languages: english, 'more-languages': moreEnglish }

describe.each(files)('%s', (name) => {
  const gaps = (text = '') => text.match(/\{\w+\}/g) ?? []

  test.each(Object.entries(kinds))(
    'has every sentence of %s with its gaps, and none that English has not',
    (kind, ownTexts) => {
      const texts: Record<string, string> = JSON.parse(
        readFileSync(new URL(`../${kind}/${name}`, import.meta.url), 'utf8'),
      )
      expect(Object.keys(texts)).toEqual(Object.keys(ownTexts))
      for (const [key, sentence] of Object.entries(ownTexts)) {
        expect(texts[key]?.trim(), key).toBeTruthy()
        expect(gaps(texts[key]), key).toEqual(gaps(sentence))
      }
    },
  )
})

test("the first of the visitor's languages that we speak is taken, else English", () => {
  expect(pickLanguage(['fi-FI', 'de-AT', 'fr'])).toBe('de')
  expect(pickLanguage(['zh-Hant-TW'])).toBe('zh')
  expect(pickLanguage(['fi'])).toBe('en')
  expect(pickLanguage([])).toBe('en')
})
