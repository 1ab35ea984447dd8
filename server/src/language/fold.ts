// Folding makes equivalent spellings compare equal: case, width, accents, Arabic variants.

const LATIN_MARKS = /[\u0300-\u036f]/g
// Short vowels, tatweel and honorific signs are usually omitted when typing Arabic.
const ARABIC_MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
const arabicLetters: Record<string, string> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
  ک: 'ك',
  ی: 'ي',
}
const ARABIC_VARIANT = /[أإآٱىةؤئکی]/g
const letters: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
}
const LETTER_VARIANT = /[ßøđłæœıþð]/g
const BEYOND_ASCII = /[^ -~\s]/
const ARABIC = /[\u0600-\u06ff]/

/** Lower case and uniform width; keeps accents, which stemmers need. */
export function normalise(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
}

/** Folds a normalised word or stem. */
export function fold(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word
  const bare = word
    .normalize('NFD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
    .replace(LETTER_VARIANT, (c) => letters[c] ?? c)
  return ARABIC.test(bare) ? bare.replace(ARABIC_MARKS, '').replace(ARABIC_VARIANT, (c) => arabicLetters[c] ?? c) : bare
}

const PHRASE_VARIANT = /[ßøđłæœıþðىة]/g

/**
 * The form in which messages are compared with phrases: lower case, without accents or punctuation, so that
 * "Günaydın!", "gunaydin" and "GUNAYDIN" match.
 */
export function foldPhrase(text: string): string {
  return foldLetters(text)
    .replace(/['’`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Like `foldPhrase`, but keeps punctuation. */
export function foldLetters(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(PHRASE_VARIANT, (letter) => letters[letter] ?? arabicLetters[letter] ?? letter)
}

/** What is written at a place of the folded text. */
export function unfoldedSlice(text: string, start: number, end: number): string {
  let at = 0
  let slice = ''
  for (const letter of text) {
    if (at >= start && at < end) slice += letter
    at += foldLetters(letter).length
  }
  return slice
}

/** One line: every run of white space becomes a space. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const VALUE = /[\d@]/

/**
 * A phrasing without numbers, codes and addresses, as "Where is order 12345?" asks the same as "Where is order 67890?";
 * as it is when nothing else is left.
 */
export function withoutValues(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '' && !VALUE.test(word))
  return words.length === 0 ? text : words.join(' ')
}
