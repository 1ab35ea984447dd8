// Corrects single typing errors ("secconds", "lenght"), which would otherwise split into misleading subword tokens.

export interface KnownWords {
  /** Whether the bot's content has a form of the word. */
  inContent: (word: string) => boolean
  /** Whether the content has exactly this form. */
  isWritten: (word: string) => boolean
  /** Frequency rank of a word in the language; undefined for unknown words. */
  rank: (word: string) => number | undefined
}

const SHORTEST = 5
// Short names are often one letter away from a word ("Venmo", "venom"), so short words are corrected only to words
// from the content or frequent ones.
const SHORTEST_OF_ANY = 6
const FREQUENT = 6000
const UNRANKED = Number.MAX_SAFE_INTEGER
const LONGEST = 16
// A person makes a few typos; more unknown words than this are no question, and each takes hundreds of lookups.
const MAX_UNKNOWN = 12
const SHORTEST_BASE = 4
const letters = 'abcdefghijklmnopqrstuvwxyz'
// Letters often confused; replacing any other letter gives a different word ("compost", "compose").
const alike = ['aeiouy', 'cskz', 'st']
// Endings of known words, without apostrophes ("doesnt").
const endings = ['s', 'es', 'd', 'ed', 'ing', 'ings', 'r', 'er', 'rs', 'ers', 'est', 'y', 'ly', 'nt', 've', 're', 'll']

export function correctSpelling(text: string, known: KnownWords): string {
  let unknown = 0
  return text.replace(/[\p{L}\p{M}\p{N}'’-]+/gu, (word, at: number) => {
    // A capital inside a sentence marks a name.
    const written = at === 0 ? word.toLowerCase() : word
    if (!/^[a-z]+$/.test(written) || written.length < SHORTEST || written.length > LONGEST) return word
    if (known.inContent(written) || isWord(written, known.rank) || ++unknown > MAX_UNKNOWN) return word
    return bestCorrection(written, known) ?? word
  })
}

function isWord(word: string, rank: KnownWords['rank']): boolean {
  if (rank(word) !== undefined) return true
  return endings.some((ending) => {
    const base = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || base.length < SHORTEST_BASE) return false
    const undoubled = base.at(-1) === base.at(-2) ? base.slice(0, -1) : base
    return [base, `${base}e`, undoubled, base.replace(/i$/, 'y')].some((form) => rank(form) !== undefined)
  })
}

/** Prefers the likeliest kind of typing error, then words from the content, then frequent words. */
function bestCorrection(word: string, { inContent, isWritten, rank }: KnownWords): string | undefined {
  for (const undo of [swapsAndDoubles, misses, replacements]) {
    const found = [...new Set(undo(word))].flatMap((candidate) => {
      const place = rank(candidate) ?? UNRANKED
      const isContent = inContent(candidate) && (place < UNRANKED || isWritten(candidate))
      const isLikely = place < (word.length < SHORTEST_OF_ANY ? FREQUENT : UNRANKED)
      return isContent || isLikely ? [{ candidate, isContent, place }] : []
    })
    const [best] = found.sort((a, b) => Number(b.isContent) - Number(a.isContent) || a.place - b.place)
    if (best) return best.candidate
  }
  return undefined
}

// The first letter is rarely wrong, and the last one rarely missing.

function* swapsAndDoubles(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) {
    const [before, letter, after] = [word.slice(0, i), word[i] as string, word.slice(i + 1)]
    if (letter === word[i - 1]) yield before + after
    yield before + letter + letter + after
    if (after !== '') yield before + after[0] + letter + after.slice(1)
  }
}

function* misses(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) {
    for (const letter of letters) yield word.slice(0, i) + letter + word.slice(i)
  }
}

function* replacements(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) {
    for (const group of alike) {
      if (!group.includes(word[i] as string)) continue
      for (const letter of group) yield word.slice(0, i) + letter + word.slice(i + 1)
    }
  }
}
