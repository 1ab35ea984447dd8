// Guesses a language from n-grams with eld's detector. Importing its tables as a module takes 90 MB and blocks the
// event loop for 130 ms; parsing them as text takes 6 MB and yields in between.
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

export interface LanguageGuess {
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
