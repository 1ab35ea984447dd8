// Corrects single typing errors ("secconds", "lenght"), which would otherwise split into misleading subword tokens.
import { fold } from './fold.ts'
import { stopWords } from './languages.ts'

interface KnownWords {
  /** Whether the bot's content has a form of the word. */
  inContent: (word: string) => boolean
  /** Whether the content has exactly this form. */
  isWritten: (word: string) => boolean
  /** Frequency rank of an English word; undefined for unknown words. */
  rank: (word: string) => number | undefined
  /** Whether it is a frequent word of any language, given without accents. */
  isFrequent: (word: string) => boolean
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
// Beside English, where frequencies are known. Their words are corrected only to words that the content has. Not Arabic:
// letters in another order are another word of the same root too often ("العلماء", scholars, "العملاء", customers).
const otherAlphabets: Record<string, string> = {
  de: 'äöüß',
  fr: 'àâçèéêëîïôùûœ',
  es: 'áéíñóúü',
  it: 'àèéìòù',
  pt: 'áâãàçéêíóôõú',
  nl: 'ëïé',
  sv: 'åäöé',
  pl: 'ąćęłńóśźż',
  tr: 'çğıöşüâî',
}
// Where a letter more is often a prefix or a suffix ("włączone", on, "wyłączone", off; "ödemesi", "ödenmesi"), only letters
// that were lost inside a word are restored: in Turkish vowels alone.
const lostInside: Record<string, string> = { pl: LETTERS + otherAlphabets.pl, tr: 'aeıioöuü' }
const INSIDE = 3

const SHORTEST = 5
// Short names are often one letter away from a word ("Venmo", "venom"), so short words are corrected only to words
// from the content or frequent ones.
const SHORTEST_OF_ANY = 6
const FREQUENT = 6000
const UNRANKED = Number.MAX_SAFE_INTEGER
const LONGEST = 16
// German and Dutch write compounds as one word.
const LONGEST_OTHER = 28
// A letter more makes another word of many short ones ("senden", "spenden").
const SHORTEST_MISS = 7
// A person makes a few typos; more unknown words than this are no question, and each takes hundreds of lookups.
const MAX_UNKNOWN = 12
const SHORTEST_BASE = 4
// Letters often confused; replacing any other letter gives a different word ("compost", "compose").
const ALIKE = ['aeiouy', 'cskz', 'st']
// Endings of known words, without apostrophes ("doesnt").
const ENDINGS = ['s', 'es', 'd', 'ed', 'ing', 'ings', 'r', 'er', 'rs', 'ers', 'est', 'y', 'ly', 'nt', 've', 're', 'll']

export function correctSpelling(text: string, knownWords: KnownWords, language = 'en'): string {
  if (language !== 'en') return correctByContent(text, knownWords, language)
  let unknownCount = 0
  return text.replace(/[\p{L}\p{M}\p{N}'’-]+/gu, (word, at: number) => {
    // A capital inside a sentence marks a name.
    const typedWord = at === 0 ? word.toLowerCase() : word
    if (!/^[a-z]+$/.test(typedWord) || typedWord.length < SHORTEST || typedWord.length > LONGEST) return word
    if (knownWords.inContent(typedWord) || isWord(typedWord, knownWords.rank) || ++unknownCount > MAX_UNKNOWN)
      return word
    return bestCorrection(typedWord, knownWords) ?? word
  })
}

function correctByContent(text: string, knownWords: KnownWords, language: string): string {
  const accentedLetters = otherAlphabets[language]
  if (accentedLetters === undefined) return text
  const alphabet = LETTERS + accentedLetters
  const ownLetters = new RegExp(`^[${alphabet}]+$`)
  let unknownCount = 0
  return text.replace(/[\p{L}\p{M}\p{N}'’-]+/gu, (word, at: number) => {
    // German nouns have capitals too.
    const typedWord = at === 0 || language === 'de' ? word.replace(/^\p{Lu}(?=\p{Ll})/u, (c) => c.toLowerCase()) : word
    if (!ownLetters.test(typedWord) || typedWord.length < SHORTEST_OF_ANY || typedWord.length > LONGEST_OTHER)
      return word
    if (knownWords.inContent(typedWord) || isCommon(typedWord, knownWords, language) || ++unknownCount > MAX_UNKNOWN)
      return word
    const contentWord = closestInContent(typedWord, knownWords, alphabet, language)
    return contentWord === undefined
      ? word
      : word[0] === typedWord[0]
        ? contentWord
        : contentWord.replace(/^./u, (c) => c.toUpperCase())
  })
}

function isCommon(word: string, { isFrequent }: KnownWords, language: string): boolean {
  return stopWords(language).has(word) || isFrequent(fold(word))
}

/** A replaced letter is not undone: in these languages it gives too many other words ("controllore", "controllare"). */
function closestInContent(word: string, { inContent, isWritten }: KnownWords, alphabet: string, language: string) {
  const lost = lostInside[language]
  const missed = lost === undefined ? misses(word, alphabet) : misses(word, lost, INSIDE)
  const kinds = [swapsAndDoubles(word), ...(word.length >= SHORTEST_MISS ? [missed] : [])]
  const fits = (candidate: string) =>
    isWritten(candidate) && inContent(candidate) && !stopWords(language).has(fold(candidate))
  for (const kind of kinds) for (const candidate of new Set(kind)) if (fits(candidate)) return candidate
  return undefined
}

function isWord(word: string, rank: KnownWords['rank']): boolean {
  if (rank(word) !== undefined) return true
  return ENDINGS.some((ending) => {
    const base = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || base.length < SHORTEST_BASE) return false
    const singleEnding = base.at(-1) === base.at(-2) ? base.slice(0, -1) : base
    return [base, `${base}e`, singleEnding, base.replace(/i$/, 'y')].some((form) => rank(form) !== undefined)
  })
}

/** Prefers the likeliest kind of typing error, then words from the content, then frequent words. */
function bestCorrection(word: string, { inContent, isWritten, rank }: KnownWords): string | undefined {
  for (const undo of [swapsAndDoubles, misses, replacements]) {
    const candidates = [...new Set(undo(word))].flatMap((candidate) => {
      const place = rank(candidate) ?? UNRANKED
      const isContent = inContent(candidate) && (place < UNRANKED || isWritten(candidate))
      const isLikely = place < (word.length < SHORTEST_OF_ANY ? FREQUENT : UNRANKED)
      return isContent || isLikely ? [{ candidate, isContent, place }] : []
    })
    const [best] = candidates.sort((a, b) => Number(b.isContent) - Number(a.isContent) || a.place - b.place)
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

function* misses(word: string, alphabet = LETTERS, edge = 1): Generator<string> {
  for (let i = edge; i <= word.length - edge; i++) {
    for (const letter of alphabet) yield word.slice(0, i) + letter + word.slice(i)
  }
}

function* replacements(word: string): Generator<string> {
  for (let i = 1; i < word.length; i++) {
    for (const group of ALIKE) {
      if (!group.includes(word[i] as string)) continue
      for (const letter of group) yield word.slice(0, i) + letter + word.slice(i + 1)
    }
  }
}
