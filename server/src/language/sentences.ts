const segmenters = new Map<string, Intl.Segmenter>()

/** The sentences of a text, line breaks included as borders. */
export function sentences(text: string, language: string): string[] {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' })
  segmenters.set(language, segmenter)
  const found: string[] = []
  for (const line of text.split('\n')) {
    for (const { segment } of segmenter.segment(line)) {
      const sentence = segment.trim()
      if (sentence) found.push(sentence)
    }
  }
  return found
}
