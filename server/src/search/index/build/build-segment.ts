import { analyse } from '../../../language/analyse.ts'
import { sentences } from '../../../language/sentences.ts'
import type { Passage } from '../passage.ts'
import type { Averages, Segment } from '../segment.ts'
import { freezeSegment } from './freeze-segment.ts'
import { type DraftSentence, SegmentDraft } from './segment-draft.ts'

/** Compiles passages into a segment. */
export function buildSegment(passages: Passage[], averages?: Averages): Segment {
  const draft = new SegmentDraft()
  for (const passage of passages) addPassage(draft, passage)
  return freezeSegment(draft, averages)
}

function addPassage(draft: SegmentDraft, passage: Passage): void {
  const { title, headings, text, language, questions = [], vector } = passage
  const cut = (part: string) => analyse(part, language).map((token) => draft.surfaceOf(token))
  const body = sentences(text, language).map(
    ({ start, end }): DraftSentence => ({ start, end, tokens: cut(text.slice(start, end)) }),
  )
  draft.passages.push({
    id: passage.id,
    sentences: [
      { start: 0, end: 0, tokens: cut(title) },
      { start: 0, end: 0, tokens: cut(headings.join('\n')) },
      ...body,
      ...questions.map((question) => ({ start: 0, end: 0, tokens: cut(question) })),
    ],
    ...(vector && draft.code(vector)),
  })
}
