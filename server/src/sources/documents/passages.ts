// What people do with the passages of a document: correct them, exclude them, add phrasings. Kept when the page is read
// again (storage/match-passages.ts).
import { Fault, type PatchPassage } from '@docent/contract'
import { retryWhenChanged } from '../../storage/database.ts'
import type { EditedPassage, PassageEdit, PassagesTable, PassageUse } from '../../storage/passages.ts'

export interface PassageDeps {
  passages: PassagesTable
  /** Called when the passages of a bot have changed. */
  onPassagesChanged: (botId: string) => void
  clock: () => number
}

export type UsedPassage = EditedPassage & { use: PassageUse }

/** Null in both: from the start. */
interface PassageCursor {
  ordinal: number | null
  /** Among those that are no longer on the page, which come last. */
  missingId: string | null
}

const neverUsed: PassageUse = { cited: 0, lastCitedAt: null, ratedUp: 0, ratedDown: 0, questions: [] }
// More than any document has.
const ALL = 1_000_000

export async function listPassages(
  { passages }: Pick<PassageDeps, 'passages'>,
  botId: string,
  documentId: string,
  { ordinal, missingId }: PassageCursor,
  limit: number,
): Promise<UsedPassage[]> {
  const onPage = missingId === null ? await passages.list(botId, documentId, ordinal ?? -1, limit) : []
  const missingPassages = onPage.length < limit ? await passages.listMissing(botId, documentId) : []
  const further = missingPassages.filter(({ id }) => missingId === null || id > missingId)
  return withUse(passages, botId, documentId, [...onPage, ...further].slice(0, limit))
}

export async function changePassage(
  { passages, onPassagesChanged, clock }: PassageDeps,
  { botId, documentId, passageId }: { botId: string; documentId: string; passageId: string },
  change: PatchPassage,
): Promise<UsedPassage> {
  const changedPassage = await retryWhenChanged(async () => {
    const passage = await find(passages, botId, documentId, passageId)
    const { expected_edited_at: expectedEditedAt } = change
    if (expectedEditedAt !== undefined && (expectedEditedAt && Date.parse(expectedEditedAt)) !== passage.editedAt)
      throw new Fault('passage_changed')
    const edit = applyChange(passage, change)
    // Two edits never have the same time, by which they are told apart.
    const now = Math.max(clock(), (passage.editedAt ?? 0) + 1)
    const isDone = await passages.change(botId, documentId, passage, edit, now)
    return isDone ? { ...passage, ...(edit ? { ...edit, editedAt: now } : noEdit) } : null
  })
  if (!changedPassage) throw new Fault('not_found')
  onPassagesChanged(botId)
  const [passageWithUse] = await withUse(passages, botId, documentId, [changedPassage])
  return passageWithUse ?? { ...changedPassage, use: neverUsed }
}

const noEdit = { text: null, excluded: false, phrasings: [], editedPageText: null, editedAt: null }

/** Null: nothing is left of the edit. */
function applyChange(passage: EditedPassage, change: PatchPassage): (PassageEdit & { editedPageText: string }) | null {
  const { corrected_text: correctedText, excluded = passage.excluded, phrasings } = change
  const correction = correctedText === undefined ? passage.text : (correctedText?.trim() ?? null)
  // To correct it to what the page says is no correction.
  const text = correction === passage.pageText && passage.ordinal !== null ? null : correction
  const phrases = [...new Set((phrasings ?? passage.phrasings).map((phrase) => phrase.trim()))]
  // A change of the page is shown until somebody looks at the correction again.
  const editedPageText = correctedText === undefined ? (passage.editedPageText ?? passage.pageText) : passage.pageText
  if (text === null && !excluded && phrases.length === 0) return null
  return { text, excluded, phrasings: phrases, editedPageText }
}

async function find(passages: PassagesTable, botId: string, documentId: string, passageId: string) {
  const onPage = await passages.list(botId, documentId, -1, ALL)
  const isWanted = ({ id }: EditedPassage) => id === passageId
  const passage = onPage.find(isWanted) ?? (await passages.listMissing(botId, documentId)).find(isWanted)
  if (!passage) throw new Fault('not_found')
  return passage
}

async function withUse(passages: PassagesTable, botId: string, documentId: string, some: EditedPassage[]) {
  const ids = some.map(({ id }) => id)
  const uses = await passages.listUse(botId, documentId, ids)
  return some.map((passage) => ({ ...passage, use: uses.get(passage.id) ?? neverUsed }))
}
