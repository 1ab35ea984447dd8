// Finds anything in a workspace by name, and passages by their words: at most five of each kind, within a time limit.
import type { Found } from '@docent/contract'
import { hasRole, type Manager } from '../access/managers.ts'
import type { Knowledge } from '../answers/types.ts'
import { analyseQuestion } from '../language/analyse.ts'
import { plainText } from '../language/plain-text.ts'
import type { BotRecord, BotsTable } from '../storage/bots.ts'
import type { ProductsTable } from '../storage/products.ts'
import type { FoundRecord, WorkspaceSearch } from '../storage/search.ts'

const MAX_OF_A_KIND = 5
const MAX_BOTS = 200
// Searching texts loads a bot's index, so other bots than the current one are searched in small workspaces only.
const MAX_BOTS_READ = 5
const LONGEST_MS = 1500
// Shorter texts are the beginnings of words, which no passage is found by.
const MIN_LETTERS = 3
// A passage that has less of the words is about something else.
const MIN_COVERAGE = 0.5
const EXCERPT_LETTERS = 160
const LETTERS_BEFORE_MATCH = 40

export interface SearchDeps {
  bots: Pick<BotsTable, 'findWorkspaceId' | 'find'>
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  workspaceSearch: WorkspaceSearch
  products: Pick<ProductsTable, 'list'>
}

export async function searchWorkspace(deps: SearchDeps, caller: Manager, text: string, firstBotId: string) {
  const { bots, workspaceSearch: search, products } = deps
  const excerpt = (markdown: string) => excerptAround(markdown, text)
  // The instance owner can see every workspace, so search the current bot's.
  const ofBot = caller.kind === 'instance_owner' && firstBotId ? await bots.findWorkspaceId(firstBotId) : undefined
  const workspaceId = ofBot ?? caller.workspaceId
  if (workspaceId === null) return { results: [], complete: true }
  const lateAt = performance.now() + LONGEST_MS
  const isLate = () => performance.now() > lateAt
  const ownBots = await search.bots(workspaceId, firstBotId, MAX_BOTS)
  const names = new Map(ownBots.map(({ id, name }) => [id, name]))
  const results: Found[] = []
  const add = (kind: Found['kind'], records: FoundRecord[]) => {
    for (const { id, botId, title, detail, visitor, at, documentId } of records.slice(0, MAX_OF_A_KIND))
      results.push({
        kind,
        id,
        bot_id: botId,
        bot_name: (botId && names.get(botId)) ?? null,
        // A conversation without a name is called by its text.
        title: kind === 'conversation' ? excerpt(title) : title,
        // The URL of a document is no Markdown.
        detail: detail === null || kind === 'document' ? detail : excerpt(detail),
        visitor: visitor ?? null,
        at: at === undefined ? null : new Date(at).toISOString(),
        document_id: documentId ?? null,
      })
  }
  const overBots = async (findIn: (botId: string, most: number) => Promise<FoundRecord[]>, searchedBots = ownBots) => {
    const foundRecords: FoundRecord[] = []
    for (const { id } of searchedBots) {
      if (foundRecords.length >= MAX_OF_A_KIND || isLate()) break
      foundRecords.push(...(await findIn(id, MAX_OF_A_KIND - foundRecords.length)))
    }
    return foundRecords
  }
  const findOfKind = (kind: Parameters<WorkspaceSearch['find']>[0]) =>
    search.find(kind, workspaceId, text, firstBotId, MAX_OF_A_KIND)

  // Fast kinds first, so that they are included when time runs out.
  for (const kind of ['bot', 'website', 'file', 'answer', 'key', 'member'] as const) add(kind, await findOfKind(kind))
  if (hasRole(caller, 'agent')) add('lead', await findOfKind('lead'))
  add('conversation', await overBots((botId, most) => search.conversations(botId, text, most)))
  add('document', await overBots((botId, most) => search.documents(botId, text, most, isLate)))
  add('product', await overBots((botId, most) => findProducts(products, botId, text, most)))
  const readBots = ownBots.length > MAX_BOTS_READ ? ownBots.filter(({ id }) => id === firstBotId) : ownBots
  const passages = await overBots(
    (botId, most) => findPassages(deps, { workspaceId, botId, text, most, lateAt }),
    readBots,
  )
  // A document that was found by its title is not listed again.
  const isListed = ({ botId, documentId }: FoundRecord) =>
    results.some(({ kind, bot_id, id }) => kind === 'document' && bot_id === botId && id === documentId)
  add(
    'passage',
    passages.filter((passage) => !isListed(passage)),
  )
  return { results, complete: !isLate() }
}

async function findProducts(products: SearchDeps['products'], botId: string, text: string, most: number) {
  const foundProducts = await products.list(
    botId,
    { availability: null },
    { text, sort: 'id', after: null, limit: most },
  )
  return foundProducts.map(({ id, body }): FoundRecord => {
    const { title, sku } = JSON.parse(body) as { title: string; sku: string | null }
    return { id, botId, title, detail: sku }
  })
}

/** By their words, as the bot finds them, without the models: people type, and expect the result at once. */
async function findPassages(
  { bots, knowledgeOf }: SearchDeps,
  search: { workspaceId: string; botId: string; text: string; most: number; lateAt: number },
): Promise<FoundRecord[]> {
  const { workspaceId, botId, text, most, lateAt } = search
  const bot = text.length < MIN_LETTERS ? undefined : await bots.find(workspaceId, botId)
  if (!bot) return []
  // An index that is still being loaded then is there for the next search.
  const knowledge = await resultBefore(lateAt, knowledgeOf(bot))
  if (!knowledge) return []
  const question = analyseQuestion(text, bot.language)
  const candidates = knowledge
    .find({ question, context: [], vector: undefined })
    .filter(({ signals }) => signals.coverage >= MIN_COVERAGE)
  const hits = await knowledge.load(candidates.slice(0, most))
  return hits.map(({ passage }): FoundRecord => {
    const { title, headings, text: detail, documentId } = passage
    const heading = headings.at(-1)
    const isNamed = heading !== undefined && heading !== title
    return {
      id: passage.passageId ?? passage.id,
      botId,
      documentId,
      title: isNamed ? `${title} › ${heading}` : title,
      detail,
    }
  })
}

/** Undefined if it is not there in time. */
async function resultBefore<T>(lateAt: number, result: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>()
  // Timers may fire within the millisecond before.
  const timer = setTimeout(() => timeout.resolve(undefined), Math.ceil(lateAt - performance.now()) + 1)
  try {
    return await Promise.race([result, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The part of a text that has what was searched, without Markdown. */
function excerptAround(markdown: string, query: string): string {
  const plain = plainText(markdown, { links: false }).replace(/\s+/g, ' ').trim()
  if (plain.length <= EXCERPT_LETTERS) return plain
  const lower = plain.toLowerCase()
  const at = [query, ...query.split(/\s+/)].map((one) => lower.indexOf(one.toLowerCase())).find((one) => one >= 0) ?? 0
  const start = at <= LETTERS_BEFORE_MATCH ? 0 : plain.indexOf(' ', at - LETTERS_BEFORE_MATCH) + 1
  const end = start + EXCERPT_LETTERS
  return `${start > 0 ? '…' : ''}${plain.slice(start, end).trim()}${end < plain.length ? '…' : ''}`
}
