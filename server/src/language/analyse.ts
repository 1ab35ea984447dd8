import { fold } from './fold.ts'
import { stopWords } from './languages.ts'
import { isPairwise } from './scripts.ts'
import { stem } from './stem.ts'
import { grams, words } from './words.ts'

// Content and questions are tokenized the same way. A question is analysed once and the result shared by search,
// answer composition and confidence.
export interface Token {
  /** Folded word. */
  word: string
  /** Folded stem; empty for tokens that are not searched on their own (stop words, pairs across two words). */
  stem: string
  grams: string[]
}

export interface AnalysedQuestion {
  text: string
  language: string
  words: readonly string[]
  tokens: readonly Token[]
  /** Without stop words, in text order. */
  stems: readonly string[]
}

const noGrams: string[] = []
const MAX_CACHED = 20_000
const caches = new Map<string, Map<string, Token>>()

interface AnalyseOptions {
  /** Short phrasings differ by their function words ("can I", "why can't I"); passages do not. */
  keepStopWords?: boolean
}

export function analyseQuestion(text: string, language: string): AnalysedQuestion {
  const all = words(text, language)
  const tokens = tokensOf(all, language)
  return { text, language, words: all, tokens, stems: stemsOf(tokens) }
}

/** The stems of a text, without stop words. */
export function contentStems(text: string, language: string): string[] {
  return stemsOf(analyse(text, language))
}

export function analyse(text: string, language: string, options?: AnalyseOptions): Token[] {
  return tokensOf(words(text, language), language, options)
}

function stemsOf(tokens: readonly Token[]): string[] {
  return tokens.filter((token) => token.stem !== '').map((token) => token.stem)
}

function tokensOf(all: readonly string[], language: string, { keepStopWords = false }: AnalyseOptions = {}): Token[] {
  const cache = cacheFor(`${language}${keepStopWords ? '+' : ''}`)
  const stop = keepStopWords ? undefined : stopWords(language)
  const tokens: Token[] = []
  let before: string | undefined
  for (const word of all) {
    let token = cache.get(word)
    if (!token) {
      token = tokenOf(word, language, stop)
      if (cache.size >= MAX_CACHED) cache.clear()
      cache.set(word, token)
    }
    // Dictionaries segment dense scripts inconsistently; the character pair across the boundary compensates.
    const dense = isDense(token.word)
    if (dense && before !== undefined) tokens.push(pairToken(before.at(-1)! + token.word[0]!))
    before = dense ? token.word : undefined
    tokens.push(token)
  }
  return tokens
}

function tokenOf(word: string, language: string, stop: ReadonlySet<string> | undefined): Token {
  const foldedWord = fold(word)
  if (!stop?.has(word)) return { word: foldedWord, stem: stem(word, language), grams: grams(foldedWord) }
  return { word: foldedWord, stem: '', grams: isDense(foldedWord) ? grams(foldedWord) : noGrams }
}

const pairToken = (pair: string): Token => ({ word: pair, stem: '', grams: [pair] })

// Most words are Latin and need only this one comparison.
const isDense = (word: string): boolean => word.charCodeAt(0) > 0xdff && isPairwise(word)

function cacheFor(key: string): Map<string, Token> {
  let cache = caches.get(key)
  if (!cache) {
    cache = new Map()
    caches.set(key, cache)
  }
  return cache
}
