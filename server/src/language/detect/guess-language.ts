// Guesses a language from letters alone, with eld's detector. Imported as the program they are, its tables take 90 MB
// and hold the event loop for 130 ms; read as text they take 6 MB and let others run in between.
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

export interface LanguageGuess {
  /** Empty where nothing is known. */
  language: string
  isReliable: boolean
  scores: Record<string, number>
}

interface Detector {
  detect(text: string): { language: string; isReliable(): boolean; getScores(): Record<string, number> }
}

const NGRAMS_AT_ONCE = 4000

let loading: Promise<Detector | null> | null = null

/** Null where the tables cannot be loaded. */
export async function guessLanguage(text: string): Promise<LanguageGuess | null> {
  loading ??= loadDetector().catch(() => null)
  const found = (await loading)?.detect(text)
  return found ? { language: found.language, isReliable: found.isReliable(), scores: found.getScores() } : null
}

async function loadDetector(): Promise<Detector> {
  // The package exports a detector with its tables only, so its files are addressed directly.
  const folder = join(dirname(findPackageJSON('eld', import.meta.url) ?? ''), 'src')
  const { createEld } = await import(pathToFileURL(join(folder, 'languageDetector.js')).href)
  const source = await readFile(join(folder, 'ngrams', 'extrasmall.js'), 'utf8')
  const [head = '', table = ''] = source.split('ngrams:{')
  const languages = parseLanguages(head)
  const ngrams = await parseNgrams(table)
  if (ngrams.size === 0) throw new Error('the tables of language detection have another format')
  const { instance, loadData } = createEld()
  loadData({
    type: 'text',
    languages,
    ngrams: new Proxy({}, { get: (_, ngram: string) => parseScores(ngrams.get(ngram)) }),
  })
  return instance
}

/** `{0:'am',1:'ar',…}`: the number of each language in the table. */
function parseLanguages(head: string): Record<string, string> {
  return Object.fromEntries(head.matchAll(/(\d+):'(\w+)'/g).map(([, number, code]) => [number, code]))
}

/** `'tion':{11:90,17:85},…`: the scores of each n-gram, left as text until they are asked for. */
async function parseNgrams(table: string): Promise<Map<string, string>> {
  const ngrams = new Map<string, string>()
  for (const [, quoted, bare, scores] of table.matchAll(/(?:'((?:[^'\\]|\\.)+)'|([^\s{},':]+)):\{([\d:,]+)\}/g)) {
    ngrams.set(quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '', scores ?? '')
    if (ngrams.size % NGRAMS_AT_ONCE === 0) await nextTurn()
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
