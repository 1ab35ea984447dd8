// The language of a text: by its script, its function words or its n-grams.

import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expandChatSpelling } from './chat-spelling.ts'
import { searchedLanguages, stopWords } from './languages.ts'
import { languageByAlphabet, languageByScript } from './scripts.ts'
import { words } from './words.ts'

// With fewer letters, the bot's own language is the better guess.
const ENOUGH_LETTERS = 24
const FEW_LETTERS = 10
// Function words are everywhere, so the start is enough, and repeated characters cost no time.
const START = 400

/** The ISO 639-1 code of a text; the fallback (the bot's language) where the text is too short to tell. */
export async function detectLanguage(text: string, fallback: string): Promise<string> {
  const byScript = languageByScript(text)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  // Japanese words are often written in Chinese characters alone.
  if (byScript) return byScript === 'zh' && fallback === 'ja' && letters < FEW_LETTERS ? fallback : byScript
  if (letters < FEW_LETTERS) return languageByAlphabet(text, fallback)
  if (hasManyFunctionWords(text, fallback)) return fallback
  const byFunctionWords = letters < ENOUGH_LETTERS ? languageByFunctionWords(text) : null
  if (byFunctionWords) return byFunctionWords
  const guess = await guessLanguage(text)
  if (!guess || guess.language === '' || guess.language === fallback) return fallback
  if (letters >= ENOUGH_LETTERS) return guess.isReliable ? guess.language : fallback
  // For lengths in between, require a clear lead and at least one function word: "cheapest tent" is not Hungarian.
  const lead = (guess.scores[guess.language] ?? 0) - (guess.scores[fallback] ?? 0)
  const hasFunctionWord = functionWords(text, guess.language).length > 0
  return guess.isReliable && lead > 0.25 && hasFunctionWord ? guess.language : fallback
}

/** Whether a text is certainly in another language: by its script, or by function words that the language lacks. */
export function isClearlyOther(text: string, language: string): boolean {
  const byScript = languageByScript(text)
  if (byScript) return byScript !== language
  const other = languageByFunctionWords(text)
  if (other === null || other === language) return false
  const start = text.slice(0, START)
  return functionWords(start, other).length >= functionWords(start, language).length * 2
}

/** "Was kostet der Versand?": the language with at least two function words, if no other has as many. */
function languageByFunctionWords(text: string): string | null {
  // Digits and marks are no function words, and there may be many of them.
  const letters = (text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []).join(' ').slice(0, START)
  const counts = searchedLanguages.map((language) => ({ language, count: functionWords(letters, language).length }))
  const [first, second] = counts.sort((a, b) => b.count - a.count)
  return first && second && first.count >= 2 && first.count > second.count ? first.language : null
}

/** Whether a language has enough function words in the text to skip further detection. */
function hasManyFunctionWords(text: string, language: string): boolean {
  const start = text.slice(0, START)
  const count = functionWords(start, language).length
  return count >= 3 && count >= words(start, language).length * 0.4
}

export function functionWords(text: string, language: string): string[] {
  const stopWordSet = stopWords(language)
  return words(expandChatSpelling(text, language), language).filter((word) => stopWordSet.has(word))
}

// Guesses a language from n-grams with eld's detector. Importing its tables as a module takes 90 MB and blocks the
// event loop for 130 ms; parsing them as text takes 6 MB and yields in between.

interface LanguageGuess {
  /** Empty when unknown. */
  language: string
  isReliable: boolean
  scores: Record<string, number>
}

interface Detector {
  detect(text: string): { language: string; isReliable(): boolean; getScores(): Record<string, number> }
}

const NGRAMS_AT_ONCE = 4000
// More text does not make the guess better, and a single long word takes the detector quadratic time.
const LONGEST_TEXT = 500
const LONGEST_WORD = 40

let loading: Promise<Detector | null> | null = null

/** Null if the tables cannot be loaded. */
export async function guessLanguage(text: string): Promise<LanguageGuess | null> {
  loading ??= loadDetector().catch(() => null)
  const detection = (await loading)?.detect(wordsOf(text.slice(0, LONGEST_TEXT)))
  return detection
    ? { language: detection.language, isReliable: detection.isReliable(), scores: detection.getScores() }
    : null
}

function wordsOf(text: string): string {
  const words = text.match(/[\p{L}\p{M}'’]+/gu) ?? []
  return words.map((word) => word.slice(0, LONGEST_WORD)).join(' ')
}

async function loadDetector(): Promise<Detector> {
  // The package only exports detectors with bundled tables, so import its files directly.
  const folder = join(dirname(findPackageJSON('eld', import.meta.url) ?? ''), 'src')
  const { createEld } = await import(pathToFileURL(join(folder, 'languageDetector.js')).href)
  const source = await readFile(join(folder, 'ngrams', 'extrasmall.js'), 'utf8')
  const [head = '', table = ''] = source.split('ngrams:{')
  const languages = parseLanguages(head)
  const ngrams = await parseNgrams(table)
  if (ngrams.size === 0) throw new Error('the language detection tables have an unknown format')
  const { instance, loadData } = createEld()
  loadData({
    type: 'text',
    languages,
    ngrams: new Proxy({}, { get: (_, ngram: string) => parseScores(ngrams.get(ngram)) }),
  })
  return instance
}

/** `{0:'am',1:'ar',…}`: language codes by their number in the table. */
function parseLanguages(head: string): Record<string, string> {
  return Object.fromEntries(head.matchAll(/(\d+):'(\w+)'/g).map(([, number, code]) => [number, code]))
}

/** `'tion':{11:90,17:85},…`: scores by n-gram, kept as text until needed. */
async function parseNgrams(table: string): Promise<Map<string, string>> {
  const ngrams = new Map<string, string>()
  for (const [, quotedKey, bareKey, scores] of table.matchAll(/(?:'((?:[^'\\]|\\.)+)'|([^\s{},':]+)):\{([\d:,]+)\}/g)) {
    ngrams.set(quotedKey?.replace(/\\(.)/g, '$1') ?? bareKey ?? '', scores ?? '')
    if (ngrams.size % NGRAMS_AT_ONCE === 0) await yieldToLoop()
  }
  return ngrams
}

function parseScores(scores: string | undefined): Record<string, number> {
  if (!scores) return {}
  return Object.fromEntries(
    scores.split(',').map((pair) => {
      const [language, score] = pair.split(':')
      return [language, Number(score)]
    }),
  )
}
