// What is written down of each language, and what is still to be written. See "Add a language" in CONTRIBUTING.md.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { BOT_LANGUAGES, TEAM_LANGUAGES, WIDGET_LANGUAGES, type WidgetLanguage } from '@docent/contract'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { CONTENT_LANGUAGES } from '../../../dashboard/src/text/languages.ts'
import { loadTexts, pickLanguage } from '../../../widget/src/host/load-texts.ts'
import { findContact } from '../../src/answers/find-contact.ts'
import type { Signals } from '../../src/answers/types.ts'
import { correctSpelling } from '../../src/language/correct-spelling.ts'
import { fold } from '../../src/language/fold.ts'
import { languageData, languages, phrasesOf, searchData, stopWords } from '../../src/language/languages.ts'
import { punctuationOf } from '../../src/language/punctuation.ts'
import { stem } from '../../src/language/stem.ts'
import { words } from '../../src/language/words.ts'
import { notificationWords } from '../../src/webhooks/notification-texts.ts'

/**
 * What English has and these languages lack. Whoever writes a part takes its language out of this list; until then the
 * bot does without: it recognises less, and says nothing wrong.
 */
const knownGaps: Record<string, string> = {
  'contact.is': 'tr ru',
  'measures.holds': 'tr zh ja',
  'person.notFor': 'tr ar zh ja',
  'products.kindEnds': 'tr zh ja',
  'products.measures.between': 'tr zh ja',
  'products.measures.downTo': 'tr ja',
  'products.measures.for': 'tr ja',
  'products.measures.larger': 'tr ja',
  'products.measures.people': 'tr ar zh ja',
  'products.measures.smaller': 'tr ja',
  'products.opening': 'da zh ja',
  'products.or': 'nl',
  'products.ownUse': 'ru zh ja',
  'products.phrases.either': 'nl',
  'products.price.between': 'tr zh ja',
  'products.purpose': 'tr zh ja',
  'products.sizes.after': 'fr es it pt nl pl sv da tr ar ru zh ja',
  'products.sizes.before': 'de tr ru zh ja',
  'products.sizes.names': 'de fr es it pt nl pl sv da tr ar ru zh ja',
  'products.something': 'ru zh',
  'questions.clauseJoin': 'zh ja',
  'questions.clauseStart': 'zh ja',
  'questions.expects.duration': 'da ru',
  'questions.personal': 'pl sv da tr ar ru zh ja',
  'sentences.abbreviations': 'zh ja',
  'sentences.connector': 'de nl sv da',
  'sentences.duration': 'da ru',
  'sentences.opposites': 'zh ja',
}

// Any number of names may stand in these.
const openLists = [
  'chatSpellings',
  'products.colours',
  'products.audiences',
  'products.synonyms',
  'products.factTopics',
  'measures.units',
]
// Ways of writing that a language has or has not, and words that only some need.
const traits = [
  ...['isUnspaced', 'attachesEndings', 'asksAnywhere', 'person.needs', 'products.sizes.behind'],
  ...['atMost', 'atLeast', 'about', 'between', 'until', 'band'].map((limit) => `products.price.${limit}After`),
]

type Part = string | boolean | Part[] | { [name: string]: Part }

const others = languages.filter((language) => language !== 'en')
const partsOf = (language: (typeof languages)[number]) => languageData[language] as unknown as Part

describe('a language is complete in every place that "Add a language" names:', () => {
  const root = new URL('../../../', import.meta.url)
  const namesIn = (folder: string) => readdirSync(new URL(folder, root)).map((file) => basename(file, '.json'))
  const keysOf = (file: string) => Object.keys(JSON.parse(readFileSync(new URL(file, root), 'utf8')))
  const translatedLanguages = WIDGET_LANGUAGES.filter((language) => language !== 'en')

  test('what bots speak has its data, its dialogues of actions and its suggested questions', () => {
    expect(languages).toEqual([...BOT_LANGUAGES])
    expect(keysOf('server/src/actions/dialogue-words.json')).toEqual([...BOT_LANGUAGES])
    expect(keysOf('server/src/bots/topic-questions.json')).toEqual([...BOT_LANGUAGES])
  })

  test('what the widget speaks has its texts, is offered, and has emails; bots speak it, too', () => {
    expect(namesIn('widget/languages/').sort()).toEqual(translatedLanguages.toSorted())
    expect(namesIn('widget/more-languages/').sort()).toEqual(translatedLanguages.toSorted())
    expect(WIDGET_LANGUAGES.map((language) => pickLanguage([language]))).toEqual([...WIDGET_LANGUAGES])
    expect(keysOf('server/src/conversations/visitor-mail-texts.json')).toEqual([...WIDGET_LANGUAGES])
    expect(BOT_LANGUAGES).toEqual(expect.arrayContaining([...WIDGET_LANGUAGES]))
  })

  test('the widget writes each of its languages in the right direction, and its guide names them', async () => {
    // The address of every file is in the fragment, so all of them are this empty object.
    const textLoads = WIDGET_LANGUAGES.map((language) => loadTexts('data:application/json,{}#', language))
    const isRightToLeft = (language: string) => /^(?:Arab|Hebr|Thaa|Syrc|Nkoo|Adlm)$/.test(scriptOf(language))
    expect((await Promise.all(textLoads)).map(({ direction }) => direction)).toEqual(
      WIDGET_LANGUAGES.map((language) => (isRightToLeft(language) ? 'rtl' : 'ltr')),
    )
    const guide = readFileSync(new URL('docs/guides/widget.md', root), 'utf8')
    const names = new Intl.DisplayNames('en', { type: 'language' })
    const section = guide.slice(guide.indexOf('## Languages'), guide.indexOf('## Without the widget'))
    for (const language of WIDGET_LANGUAGES) expect(section).toContain(names.of(language))
  })

  /** What is shown to visitors besides the bot's replies, and is the same in every tone. */
  const toneless = (language: WidgetLanguage) => {
    const read = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8'))
    const { sentences, buttons, products } = languageData[language]
    const { yesWords, noWords, cancelWords, ...dialogue } = read('server/src/actions/dialogue-words.json')[language]
    return [
      ...[sentences.tableCell, sentences.tablePrice, buttons, products.sentences, dialogue],
      read('server/src/conversations/visitor-mail-texts.json')[language],
      read('server/src/bots/topic-questions.json')[language],
      ...['languages', 'more-languages'].map((folder) => read(`widget/${folder}/${language}.json`)),
    ]
  }

  test('no line of French begins with a mark that a space sets off', () => {
    const { smallTalk, fallback } = languageData.fr
    const replies = [smallTalk.replies, fallback, ...toneless('fr')]
    expect(JSON.stringify(replies).match(/.{20}(?: [!?:;»]|« )/g)).toBeNull()
  })

  // In the other languages a casual bot addresses visitors as a formal one does.
  test.each([
    ['de', /(?<!\p{L})(?:Sie|Ihnen|Ihr\p{L}*|[Dd](?:u|ich|ir|ein\p{L}*))(?!\p{L})/u],
    ['fr', /(?<!\p{L})(?:vous|votre|vos|tu|te|toi|ton|ta|tes|\p{L}{3,}ez)(?!\p{L})/iu],
    ['es', /(?<!\p{L})(?:usted|sus?|le|tus?|te|ti|por favor, \p{L}+[ae])(?!\p{L})/iu],
    ['it', /(?<!\p{L})(?:Lei|su[oa]|suoi|tu|ti|tu[oa]|tuoi|puoi)(?!\p{L})/iu],
    ['nl', /(?<!\p{L})(?:u|uw|je|jij|jou|jouw)(?!\p{L})/iu],
  ] as const)('in %s, texts beside those of a tone address nobody', (language, address) => {
    const { formal, casual } = languageData[language].fallback
    expect(formal.leaveContact).toMatch(address)
    expect(casual.leaveContact).toMatch(address)
    const texts = leaves(toneless(language) as Part).map(([, text]) => String(text))
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.filter((text) => address.test(text))).toEqual([])
  })

  test('what the team reads has the texts of the dashboard, and notifications of its own', () => {
    const team = Object.keys(TEAM_LANGUAGES)
    const files = readdirSync(new URL('dashboard/src/texts/first-load/', root))
    expect(files.map((file) => basename(file, '.ts')).sort()).toEqual(team.toSorted())
    expect(new Set(team.map((language) => notificationWords(language).open)).size).toBe(team.length)
  })

  test('what can be searched can be chosen as the language of content', () => {
    expect(CONTENT_LANGUAGES).toEqual(expect.arrayContaining(Object.keys(searchData)))
  })

  const isStemmed = (language: string) => [...stopWords(language)].some((word) => stem(word, language) !== fold(word))
  const isCorrected = (language: string) => {
    const isRight = (word: string) => word === 'abcdefgh'
    const knownWords = { inContent: isRight, isWritten: isRight, rank: () => undefined, isFrequent: () => false }
    return isRight(correctSpelling('abdcefgh', knownWords, language))
  }
  const isPunctuated = (language: string) => punctuationOf(language) !== punctuationOf('en')
  const elides = (language: string) => words("l'abc", language).includes('abc')
  const searched = Object.keys(searchData)

  // A new language is added to these lists, or to the file. Some need no entry: Arabic is not corrected on purpose.
  test.each([
    ['a stemmer in stem.ts', searched, isStemmed, 'zh ja cs ko th vi'],
    ['letters in correct-spelling.ts', languages, isCorrected, 'da ar ru zh ja'],
    ['marks in punctuation.ts', languages, isPunctuated, 'en pt tr'],
    ['ELIDING_LANGUAGES in words.ts', languages, elides, 'en de es pt nl pl sv da tr ar ru zh ja'],
  ])('every language has %s but those that do without', (_place, among, hasEntry, without) => {
    expect(among.filter((language) => !hasEntry(language)).join(' ')).toBe(without)
  })

  test.each(languages)('pages in %s have phone numbers of its country', async (language) => {
    const chosenCountries: Partial<Record<string, string>> = { en: 'GB', ar: 'SA', pt: 'PT' }
    const country = chosenCountries[language] ?? new Intl.Locale(language).maximize().region
    const number = getExampleNumber(country as CountryCode, examples)?.formatNational()
    const [title = ''] = phrasesOf(languageData[language].contact.pages)
    const passage = {
      id: '',
      documentId: '',
      title,
      url: null,
      headings: [],
      anchor: null,
      text: `${number}`,
      language,
    }
    const knowledge = { find: () => [], load: async () => [{ passage, score: 1, signals: {} as Signals }] }
    expect(await findContact(knowledge, language, 'https://shop.example')).toBe(number)
  })
})

test('every file of a language is loaded', () => {
  const files = readdirSync(new URL('../../src/language/data/', import.meta.url))
  expect(files.map((file) => basename(file, '.json')).sort()).toEqual(Object.keys(searchData).sort())
})

test('the languages lack what is listed here and nothing else', () => {
  const gaps: Record<string, string> = {}
  for (const language of others)
    for (const path of missing(partsOf('en'), partsOf(language)))
      gaps[path] = gaps[path] ? `${gaps[path]} ${language}` : language
  expect(gaps).toEqual(knownGaps)
})

test('no language has a part that English does not name', () => {
  const unknownParts = others.flatMap((language) =>
    missing(partsOf(language), partsOf('en')).map((path) => `${language} ${path}`),
  )
  expect(unknownParts.filter((path) => !traits.some((trait) => path.endsWith(` ${trait}`)))).toEqual([])
})

test('every sentence has the braces of the English one', () => {
  const braces = (text: Part | undefined) => (String(text).match(/\{\w+\}/g) ?? []).sort().join(' ')
  const sentences = leaves(partsOf('en')).filter(([path]) => isSentence(path))
  // One and several, or with and without yes or no.
  const formsOf = (text: Part | undefined) => String(text).split('|')
  const wrong = others.flatMap((language) =>
    sentences
      .filter(([path, text]) => {
        const [english] = formsOf(text)
        return formsOf(at(partsOf(language), path)).some((form) => braces(form) !== braces(english))
      })
      .map(([path]) => `${language} ${path}`),
  )
  expect(wrong).toEqual([])
})

test.each(languages)('sentences before an answer in %s are short and end with a colon', (language) => {
  for (const { hedge, foundIn } of Object.values(languageData[language].fallback)) {
    expect(hedge).toMatch(/[:：]$/)
    expect(hedge.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length).toBeLessThanOrEqual(7)
    expect(foundIn).toMatch(/[:：]$/)
  }
})

test.each(languages)('sentences in %s quote with the marks of the language', (language) => {
  const [opening, closing] = punctuationOf(language).quotes
  const { fallback, products } = languageData[language]
  const quoting = [...Object.values(fallback).map(({ partUnknown }) => partUnknown), products.sentences.notSold]
  for (const sentence of quoting) expect(sentence).toMatch(new RegExp(`${opening}\\{\\w+\\}${closing}`))
})

test.each(languages)(
  'answers about products in %s begin with yes or no where that was asked, and only there',
  (language) => {
    const { sentences, products } = languageData[language]
    const wordOf = (text: string) => text.toLowerCase().split(/[.,،。，、]/)[0]
    // Chinese answers with the verb of the question.
    const [yes, no] = language === 'zh' ? ['有的', '没有'] : [wordOf(sentences.yes), wordOf(sentences.no)]
    const { onSale, notOnSale, notSold, yesInVariant, notInVariant, unknownVariant } = products.sentences
    for (const [word, sentence] of [
      ...[onSale, yesInVariant].map((text) => [yes, text] as const),
      ...[notOnSale, notSold, notInVariant, unknownVariant].map((text) => [no, text] as const),
    ]) {
      const [answeringSentence = '', plain = ''] = sentence.split('|')
      expect(wordOf(answeringSentence)).toBe(word)
      expect(answeringSentence.toLowerCase().endsWith(plain.toLowerCase())).toBe(true)
      expect(plain).not.toBe('')
    }
  },
)

test('patterns over folded words have no letter that folding changes', () => {
  const isFolded =
    /^products\.(?:phrases|comparatives|superlative|discussion|opening|ownUse|sizes\.(?:name|before|behind))(?:\.|$)/
  const changedTexts = languages.flatMap((language) =>
    languageData[language].isUnspaced
      ? []
      : leaves(partsOf(language))
          .filter(([path, text]) => isFolded.test(path) && /\p{M}|[ßøđłæœıþðىة]/u.test(String(text).normalize('NFKD')))
          .map(([path]) => `${language} ${path}`),
  )
  expect(changedTexts).toEqual([])
})

test('every list and pattern is well formed', () => {
  const wrong = languages.flatMap((language) =>
    leaves(partsOf(language))
      .filter(([path, text]) => typeof text === 'string' && !isWellFormed(path, text))
      .map(([path]) => `${language} ${path}`),
  )
  expect(wrong).toEqual([])
})

function scriptOf(language: string): string {
  return new Intl.Locale(language).maximize().script ?? ''
}

/** Said by the bot, and not compared with what is said to it. */
function isSentence(path: string): boolean {
  return /^(?:smallTalk\.replies|fallback|waiting|buttons|products\.sentences)\.|^sentences\.(?:tableCell|tablePrice|yes|no)$/.test(
    path,
  )
}

function isWellFormed(path: string, text: string): boolean {
  if (isSentence(path)) return text !== '' && text.trim() === text
  if (/ {2}|\|\||^[ |]|[ |]$/.test(text)) return false
  try {
    return new RegExp(text, 'iu').flags === 'iu'
  } catch {
    return false
  }
}

/** Paths of what the second lacks of the first. */
function missing(whole: Part, part: Part | undefined, path = ''): string[] {
  if (part === undefined) return [path]
  if (typeof whole !== 'object' || Array.isArray(whole) || openLists.includes(path)) return []
  const parts = part as Record<string, Part>
  return Object.entries(whole).flatMap(([name, value]) => missing(value, parts[name], path ? `${path}.${name}` : name))
}

function leaves(part: Part, path = ''): [string, Part][] {
  if (typeof part !== 'object') return [[path, part]]
  return Object.entries(part).flatMap(([name, value]) => leaves(value, path ? `${path}.${name}` : name))
}

function at(part: Part, path: string): Part | undefined {
  return path.split('.').reduce<Part | undefined>((value, name) => (value as Record<string, Part>)?.[name], part)
}
