// The script decides how a text is split: scripts without spaces need a dictionary (Intl.Segmenter) for words and
// character pairs for n-grams; all others are split by a regular expression, which is faster.

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const pairwise =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

export const isSpaceless = (text: string): boolean => spaceless.test(text)

/** Whether characters carry so much meaning that pairs work better than 4-grams. */
export const isPairwise = (word: string): boolean => pairwise.test(word)

const languageOfScript: [RegExp, string][] = [
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
  for (const [script, language] of languageOfScript) {
    if (!script.test(text)) continue
    const own =
      text.match(
        new RegExp(`[${script.source.replace(/^\[|\]$/g, '')}${language === 'ja' ? '\\p{Script=Han}' : ''}]`, 'gu'),
      )?.length ?? 0
    if (own * 2 > letters) return language
  }
  return undefined
}
