// Splits text into words as written, with what the follow-up rules need to know about each.
export interface Word {
  /** Lower case, NFKC. */
  word: string
  surface: string
  /** Capitalised where the position does not ask for it, so probably a name. */
  name: boolean
  /** First word of a sentence. */
  opens: boolean
}

// Scripts without spaces need a dictionary; the segmenter is several times slower, so only there.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
const spaced = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?/gu

export function words(text: string): Word[] {
  const normal = text.normalize('NFKC').replaceAll('’', "'")
  const found = unspaced.test(normal)
    ? segmented(normal)
    : [...normal.matchAll(spaced)].map((m) => ({ surface: m[0], at: m.index }))
  // In a text without lower case (or one without capitals) capitals say nothing.
  const tellsNames = /\p{Ll}{2}/u.test(normal)
  return found.map(({ surface, at }) => {
    const before = normal.slice(Math.max(0, at - 3), at).trimEnd()
    const opens = at === 0 || (before === '' && at < 3) || /[.!?:"“„«(]$/.test(before)
    return { word: surface.toLowerCase(), surface, opens, name: tellsNames && !opens && /^\p{Lu}/u.test(surface) }
  })
}

function segmented(text: string): { surface: string; at: number }[] {
  return [...segmenter.segment(text)]
    .filter((segment) => segment.isWordLike)
    .map(({ segment, index }) => ({ surface: segment, at: index }))
}
