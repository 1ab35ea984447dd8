import { describe, expect, test } from 'vitest'
import { derivePassageId, matchPassages } from '../../src/storage/match-passages.ts'

const passage = (text: string, ...headings: string[]) => ({ headings, anchor: null, text })
const known = (id: string, text: string, headings: string[] = [], isEdited = false) => ({
  id,
  headings,
  text,
  isEdited,
})

describe('a passage keeps its id', () => {
  test('with the same text, wherever it moves and whatever it is under', () => {
    const before = [known('a', 'First.', ['A']), known('b', 'Second.', ['B'])]
    expect(matchPassages(before, [passage('Second.', 'B'), passage('First.', 'New heading')])).toEqual(['b', 'a'])
  })

  test('with the same heading, in order, when its text changes', () => {
    const before = [known('a', 'One lamp.', ['A']), known('b', 'Two lamps.', ['A'])]
    expect(matchPassages(before, [passage('Uno.', 'A'), passage('Due.', 'A')])).toEqual(['a', 'b'])
  })

  test('if it was edited, also when a similar text is under another heading', () => {
    const before = [known('a', 'Returns are free within thirty days of delivery.', ['A'], true)]
    const now = [passage('Something else.', 'C'), passage('Returns are free within sixty days of delivery.', 'B')]
    expect(matchPassages(before, now)[1]).toBe('a')
    const uneditedPassages = before.map((one) => ({ ...one, isEdited: false }))
    expect(matchPassages(uneditedPassages, now)[1]).toBe(derivePassageId(now[1] ?? passage('')))
  })

  test('if it was edited, never gives it to a different passage of its section', () => {
    const editedPassage = known('a', 'Returns are free within thirty days.', ['A'], true)
    const otherPassage = passage('Our warehouse stands beside the river.', 'A')
    const beside = [passage('Lamps are packed in straw.', 'A'), otherPassage]
    expect(matchPassages([editedPassage, known('b', 'Lamps are packed in straw.', ['A'])], beside)).not.toContain('a')
    expect(matchPassages([{ ...editedPassage, headings: [] }], [{ ...otherPassage, headings: [] }])).not.toContain('a')
    // The only passage of a section is the same one, rewritten.
    expect(matchPassages([editedPassage], [otherPassage])).toEqual(['a'])
  })
})

test('ids are unique: of repeated texts, and of a text that another passage once had', () => {
  const samePassages = [passage('Same.', 'A'), passage('Same.', 'A')]
  const [first, second] = matchPassages([], samePassages)
  expect([first, second]).toEqual([derivePassageId(samePassages[0] ?? passage('')), `${first}-2`])
  const ids = matchPassages(
    [known(first ?? '', 'Rewritten.', ['B'], true)],
    [passage('Rewritten.', 'B'), ...samePassages],
  )
  expect(new Set(ids).size).toBe(3)
})
