// Which writing a text uses decides how it is cut: scripts without spaces need a dictionary (Intl.Segmenter)
// for words and pairs of characters for grams; everything else is cut by a regular expression, which is faster.

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const pairwise =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/** True when words of this text are not parted by spaces. */
export const isSpaceless = (text: string): boolean => spaceless.test(text)

/** True when a word carries so much per character that pairs tell more than fours. */
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

/** The language that a script gives away by itself, however short the text. */
export function languageByScript(text: string): string | undefined {
  // A brand name in another script must not decide: most letters have to agree.
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
