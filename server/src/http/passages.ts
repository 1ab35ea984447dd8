import { Fault, type Passage } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import type { Context } from '../context.ts'
import { changePassage, listPassages, type UsedPassage } from '../sources/documents/passages.ts'
import { timestamp } from '../timestamps.ts'
import type { Modules } from './modules.ts'
import { page, parseCursor } from './server/paging.ts'
import type { Route } from './server/route.ts'

// An ordinal, or the id of a passage that is no longer on the page.
const CURSOR = /^(?:(\d{1,9})|(psg_[\w-]{1,64}))$/

export function passageRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, search }: Pick<Modules, 'access' | 'search'>,
) {
  const { documents, passages } = storage
  const { findBot } = access
  const deps = { passages, onPassagesChanged: search.embedDocuments, clock }

  route('GET /api/manage/v1/bots/{botId}/documents/{documentId}/passages', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    if (!(await documents.exists(bot.id, params.documentId))) throw new Fault('not_found')
    return page(
      query,
      async (cursor, limit) => {
        const [, ordinal, missingId = null] = parseCursor(cursor, CURSOR) ?? []
        const after = { ordinal: ordinal === undefined ? null : Number(ordinal), missingId }
        const usedPassages = await listPassages(deps, bot.id, params.documentId, after, limit)
        return usedPassages.map((passage) => ({ id: String(passage.ordinal ?? passage.id), passage }))
      },
      ({ passage }) => toPassage(passage),
    )
  })

  route(
    'PATCH /api/manage/v1/bots/{botId}/documents/{documentId}/passages/{passageId}',
    async ({ caller, params, body, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      const document = await documents.find(bot.id, params.documentId)
      if (!document) throw new Fault('not_found')
      const changedPassage = await changePassage(deps, { ...params, botId: bot.id }, body)
      setAuditTarget(titleOf({ id: document.id, name: changedPassage.headings.at(-1) ?? document.title }))
      return toPassage(changedPassage)
    },
  )
}

function toPassage(passage: UsedPassage): Passage {
  const { use, editedPageText, editedAt } = passage
  const hasChanged = passage.text !== null && editedPageText !== null && editedPageText !== passage.pageText
  return {
    id: passage.id,
    heading: passage.headings.at(-1) ?? null,
    headings: passage.headings,
    text: passage.pageText,
    corrected_text: passage.text,
    previous_text: hasChanged ? editedPageText : null,
    excluded: passage.excluded,
    phrasings: passage.phrasings,
    missing: passage.ordinal === null,
    edited_at: editedAt === null ? null : timestamp(editedAt),
    cited: use.cited,
    last_cited_at: use.lastCitedAt === null ? null : timestamp(use.lastCitedAt),
    rated_up: use.ratedUp,
    rated_down: use.ratedDown,
    questions: use.questions.map(({ text, conversationId, askedAt, rating }) => ({
      text,
      conversation_id: conversationId,
      asked_at: timestamp(askedAt),
      rating,
    })),
  }
}
