// The script decides how a text is split: scripts without spaces need a dictionary (Intl.Segmenter) for words and
// character pairs for n-grams; all others are split by a regular expression, which is faster.

const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const PAIRWISE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/**
 * Letters that keep words and numbers apart by a space, for a character class. Chinese and Japanese write none, and
 * Arabic joins "and" and "for" to a number.
 */
export const SPACED_LETTERS = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}`

export const isSpaceless = (text: string): boolean => SPACELESS.test(text)

/** Whether characters carry so much meaning that pairs work better than 4-grams. */
export const isPairwise = (word: string): boolean => PAIRWISE.test(word)

const LANGUAGE_OF_SCRIPT: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Georgian}/u, 'ka'],
]

/** The language if the script alone determines it, however short the text. */
export function languageByScript(text: string): string | undefined {
  // Most letters must agree, so that a brand name in another script does not decide.
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [script, language] of LANGUAGE_OF_SCRIPT) {
    if (!script.test(text)) continue
    const ownLetters =
      text.match(
        new RegExp(`[${script.source.replace(/^\[|\]$/g, '')}${language === 'ja' ? '\\p{Script=Han}' : ''}]`, 'gu'),
      )?.length ?? 0
    if (ownLetters * 2 > letters) return language
  }
  return undefined
}

const LANGUAGES_OF_ALPHABET: [RegExp, string[]][] = [
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg', 'sr', 'mk', 'be']],
  [/\p{Script=Arabic}/u, ['ar', 'fa', 'ur']],
  [/\p{Script=Devanagari}/u, ['hi', 'mr', 'ne']],
]

/** For texts too short to tell languages apart: the given one if it is written in that alphabet, else the commonest. */
export function languageByAlphabet(text: string, language: string): string {
  const candidates = LANGUAGES_OF_ALPHABET.find(([alphabet]) => alphabet.test(text))?.[1] ?? []
  return candidates.includes(language) ? language : (candidates[0] ?? language)
}
