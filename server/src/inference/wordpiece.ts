// BERT's uncased WordPiece tokens with their offsets, so that a span can be mapped back to the text.

interface Tokens {
  ids: number[]
  /** Character offsets of each token. */
  starts: number[]
  ends: number[]
}

export type Tokenize = (text: string, most?: number) => Tokens

const LONGEST_WORD = 100
const UNKNOWN = '[UNK]'
const SEPARATORS = /[\p{P}$+<=>^`|~]|\p{Script=Han}/u
const WORDS = /[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu
const PLAIN_WORD = /^[!-~]+$/
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character alone is meant
const INVISIBLE = /[\p{Cc}\p{Cf}\uFE00-\uFE0F\uFFFD]/gu
// Accents of Latin, Greek and Cyrillic letters, and the optional vowel signs of Hebrew and Arabic. The marks of Japanese,
// Korean, Hindi or Thai are part of their letters.
const ACCENTS =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character alone is meant
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF-\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\uFE20-\uFE2F]/g

/** Takes the vocabulary, one token per line, in id order. */
export function makeTokenizer(vocabulary: readonly string[]): Tokenize {
  const numbers = new Map(vocabulary.map((token, number) => [token, number]))
  const unknownId = numbers.get(UNKNOWN) ?? 0
  const longestPiece = vocabulary.reduce((longest, { length }) => Math.max(longest, length), 0)
  const pieceCache = new Map<string, number[]>()

  function pieces(word: string): number[] {
    if (word.length > LONGEST_WORD) return [unknownId, word.length]
    const knownPieces = pieceCache.get(word)
    if (knownPieces) return knownPieces
    const newPieces = cutWord(word)
    if (pieceCache.size > 50_000) pieceCache.clear()
    pieceCache.set(word, newPieces)
    return newPieces
  }

  /** Longest-match-first pieces, as alternating ids and lengths. */
  function cutWord(word: string): number[] {
    const pieces: number[] = []
    for (let from = 0; from < word.length; ) {
      let to = Math.min(word.length, from + longestPiece)
      let number: number | undefined
      for (; to > from; to--) {
        number = numbers.get(from === 0 ? word.slice(0, to) : `##${word.slice(from, to)}`)
        if (number !== undefined) break
      }
      if (number === undefined) return [unknownId, word.length]
      pieces.push(number, to - from)
      from = to
    }
    return pieces
  }

  return (text, most = Number.POSITIVE_INFINITY) => {
    const tokens: Tokens = { ids: [], starts: [], ends: [] }
    for (const match of text.matchAll(WORDS)) {
      if (tokens.ids.length >= most) break
      const [matchedText] = match
      const plain = SEPARATORS.test(matchedText) ? matchedText : fold(matchedText)
      if (plain === '') continue
      // After folding, offsets may no longer match one to one: use the whole word's.
      const isExact = plain.length === matchedText.length
      const wordPieces = pieces(plain)
      let at = match.index
      for (let i = 0; i < wordPieces.length && tokens.ids.length < most; i += 2) {
        const length = wordPieces[i + 1] ?? 0
        tokens.ids.push(wordPieces[i] ?? unknownId)
        tokens.starts.push(isExact ? at : match.index)
        tokens.ends.push(isExact ? at + length : match.index + matchedText.length)
        at += length
      }
    }
    return tokens
  }
}

/** The words of a text in the form in which they are looked up, to count them. */
export function* plainWords(text: string): Generator<string> {
  for (const [matchedText] of text.matchAll(WORDS)) {
    const plain = SEPARATORS.test(matchedText) ? matchedText : fold(matchedText)
    if (plain !== '') yield plain
  }
}

function fold(word: string): string {
  const lower = word.toLowerCase()
  if (PLAIN_WORD.test(lower)) return lower
  return lower.normalize('NFD').replace(ACCENTS, '').normalize('NFC').replace(INVISIBLE, '')
}
