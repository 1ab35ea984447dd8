// BERT's uncased WordPiece tokens with their offsets, so that a span can be mapped back to the text.

export interface Tokens {
  ids: number[]
  /** Character offsets of each token. */
  starts: number[]
  ends: number[]
}

export type Tokenize = (text: string, most?: number) => Tokens

const LONGEST_WORD = 100
const UNKNOWN = '[UNK]'
const separators = /[\p{P}$+<=>^`|~]|\p{Script=Han}/u
const words = /[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu
const plainWord = /^[!-~]+$/
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character alone is meant
const invisible = /[\p{Cc}\p{Cf}\uFE00-\uFE0F\uFFFD]/gu
// Accents of Latin, Greek and Cyrillic letters, and the optional vowel signs of Hebrew and Arabic. The marks of Japanese,
// Korean, Hindi or Thai are part of their letters.
const accents =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each character alone is meant
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF-\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\uFE20-\uFE2F]/g

/** Takes the vocabulary, one token per line, in id order. */
export function makeTokenizer(vocabulary: readonly string[]): Tokenize {
  const numbers = new Map(vocabulary.map((token, number) => [token, number]))
  const unknown = numbers.get(UNKNOWN) ?? 0
  const longestPiece = vocabulary.reduce((longest, { length }) => Math.max(longest, length), 0)
  const known = new Map<string, number[]>()

  function pieces(word: string): number[] {
    if (word.length > LONGEST_WORD) return [unknown, word.length]
    const found = known.get(word)
    if (found) return found
    const cut = cutWord(word)
    if (known.size > 50_000) known.clear()
    known.set(word, cut)
    return cut
  }

  /** Longest-match-first pieces, as alternating ids and lengths. */
  function cutWord(word: string): number[] {
    const found: number[] = []
    for (let from = 0; from < word.length; ) {
      let to = Math.min(word.length, from + longestPiece)
      let number: number | undefined
      for (; to > from; to--) {
        number = numbers.get(from === 0 ? word.slice(0, to) : `##${word.slice(from, to)}`)
        if (number !== undefined) break
      }
      if (number === undefined) return [unknown, word.length]
      found.push(number, to - from)
      from = to
    }
    return found
  }

  return (text, most = Number.POSITIVE_INFINITY) => {
    const tokens: Tokens = { ids: [], starts: [], ends: [] }
    for (const match of text.matchAll(words)) {
      if (tokens.ids.length >= most) break
      const [written] = match
      const plain = separators.test(written) ? written : fold(written)
      if (plain === '') continue
      // After folding, offsets may no longer match one to one: use the whole word's.
      const isExact = plain.length === written.length
      const cut = pieces(plain)
      let at = match.index
      for (let i = 0; i < cut.length && tokens.ids.length < most; i += 2) {
        const length = cut[i + 1] ?? 0
        tokens.ids.push(cut[i] ?? unknown)
        tokens.starts.push(isExact ? at : match.index)
        tokens.ends.push(isExact ? at + length : match.index + written.length)
        at += length
      }
    }
    return tokens
  }
}

/** The words of a text in the form in which they are looked up, to count them. */
export function* plainWords(text: string): Generator<string> {
  for (const [written] of text.matchAll(words)) {
    const plain = separators.test(written) ? written : fold(written)
    if (plain !== '') yield plain
  }
}

function fold(word: string): string {
  const lower = word.toLowerCase()
  if (plainWord.test(lower)) return lower
  return lower.normalize('NFD').replace(accents, '').normalize('NFC').replace(invisible, '')
}
