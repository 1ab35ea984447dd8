// Finds anything in a workspace by name: at most five of each kind, within a time limit.
import type { Found } from '@docent/contract'
import { hasRole, type Manager } from '../access/managers.ts'
import type { BotsTable } from '../storage/bots.ts'
import type { ProductsTable } from '../storage/products.ts'
import type { FoundRecord, WorkspaceSearch } from '../storage/search.ts'

const MAX_OF_A_KIND = 5
const MAX_BOTS = 200
const LONGEST_MS = 1500

export interface SearchDeps {
  bots: Pick<BotsTable, 'findWorkspaceId'>
  workspaceSearch: WorkspaceSearch
  products: Pick<ProductsTable, 'list'>
}

export async function searchWorkspace(deps: SearchDeps, caller: Manager, text: string, firstBotId: string) {
  const { bots, workspaceSearch: search, products } = deps
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
    for (const { id, botId, title, detail } of records.slice(0, MAX_OF_A_KIND))
      results.push({ kind, id, bot_id: botId, bot_name: (botId && names.get(botId)) ?? null, title, detail })
  }
  const overBots = async (look: (botId: string, most: number) => Promise<FoundRecord[]>) => {
    const found: FoundRecord[] = []
    for (const { id } of ownBots) {
      if (found.length >= MAX_OF_A_KIND || isLate()) break
      found.push(...(await look(id, MAX_OF_A_KIND - found.length)))
    }
    return found
  }
  const named = (kind: Parameters<WorkspaceSearch['find']>[0]) =>
    search.find(kind, workspaceId, text, firstBotId, MAX_OF_A_KIND)

  // Fast kinds first, so that they are included when time runs out.
  for (const kind of ['bot', 'website', 'file', 'answer', 'key', 'member'] as const) add(kind, await named(kind))
  if (hasRole(caller, 'agent')) add('lead', await named('lead'))
  add('conversation', await overBots((botId, most) => search.conversations(botId, text, most)))
  add('document', await overBots((botId, most) => search.documents(botId, text, most, isLate)))
  add('product', await overBots((botId, most) => findProducts(products, botId, text, most)))
  return { results, complete: !isLate() }
}

async function findProducts(products: SearchDeps['products'], botId: string, text: string, most: number) {
  const found = await products.list(botId, { availability: null }, { text, sort: 'id', after: null, limit: most })
  return found.map(({ id, body }): FoundRecord => {
    const { title, sku } = JSON.parse(body) as { title: string; sku: string | null }
    return { id, botId, title, detail: sku }
  })
}
