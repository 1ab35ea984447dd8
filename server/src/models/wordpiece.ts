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
const invisible = /[\p{Cc}\p{Cf}\uFFFD]/gu

/** Takes the vocabulary, one token per line, in id order. */
export function createTokenizer(vocabulary: readonly string[]): Tokenize {
  const numbers = new Map(vocabulary.map((token, number) => [token, number]))
  const unknown = numbers.get(UNKNOWN) ?? 0
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
      let to = word.length
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

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(invisible, '')
}
