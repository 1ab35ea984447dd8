// The demo bot created at first start: a fictional shop's help pages and products, and an API key for the printed call.
// Once deleted, it is not recreated.
import { join } from 'node:path'
import { ACTIONS_PER_BOT, type Translation } from '@docent/contract'
import { isActive } from '../access/keys.ts'
import { hashSecret, makeSecret } from '../access/secrets.ts'
import type { SyncProducts } from '../catalogue/products/sync-products.ts'
import { randomId } from '../ids.ts'
import { readSecretFile, writeSecretFile } from '../private-file.ts'
import type { ImportDocuments } from '../sources/documents/documents.ts'
import type { ActionsTable } from '../storage/actions.ts'
import {
  type BotRecord,
  type BotsTable,
  DEMO_BOT_ID,
  defaultWidgetRecord,
  newBot,
  type WidgetRecord,
} from '../storage/bots.ts'
import { StorageError } from '../storage/database.ts'
import type { KeysTable } from '../storage/keys.ts'
import { demoActions } from './orders.ts'
import { readDemoPages, readDemoProducts } from './shop.ts'

interface Deps {
  bots: Pick<BotsTable, 'find'>
  keys: Pick<KeysTable, 'findPresented' | 'insert'>
  actions: Pick<ActionsTable, 'insert'>
  /** A new sealed secret that signs the requests of an action. */
  makeActionSecret: (actionId: string) => string
  importDocuments: ImportDocuments
  syncProducts: SyncProducts
  workspaceId: string
  config: { dataDir: string; baseUrl: string }
  clock: () => number
}

const demoWidget: WidgetRecord = {
  ...defaultWidgetRecord,
  look: {
    ...defaultWidgetRecord.look,
    title: 'Fernweh & Field help',
    suggested_questions: [
      'When is standard shipping free?',
      'How do I return something?',
      'Which jackets do you have under 200 euros?',
    ],
  },
}

const german: Translation = {
  language: 'de',
  greeting: null,
  suggested_questions: [
    'Ab wann ist der Versand kostenlos?',
    'Wie kann ich etwas zurückgeben?',
    'Welche Jacken gibt es unter 200 Euro?',
  ],
  fallback_message: null,
  buttons: [],
  handover_questions: [],
}

export function demoBot(workspaceId: string, baseUrl: string, createdAt: number): BotRecord {
  return newBot({
    workspaceId,
    id: DEMO_BOT_ID,
    name: 'Fernweh & Field (fictional demo shop)',
    language: 'en',
    siteUrl: `${baseUrl}/demo`,
    widget: demoWidget,
    translations: [german],
    createdAt,
  })
}

export async function ensureDemoBot(deps: Deps): Promise<{ botId: string; keyPath: string } | null> {
  const { bots, importDocuments, syncProducts, workspaceId, config } = deps
  const { baseUrl } = config
  const bot = await bots.find(workspaceId, DEMO_BOT_ID)
  if (!bot) return null

  // Unchanged pages and products are skipped, so this also completes an interrupted first start.
  const documents = readDemoPages().map(({ slug, title, language, content }) => ({
    id: `demo-${slug.replaceAll('/', '-')}`,
    title,
    language,
    url: `${baseUrl}/demo/${slug}`,
    markdown: content,
  }))
  await importDocuments(bot, documents)
  await syncProducts(bot, { entries: readDemoProducts(), options: () => ({}) })
  // It never had an action: those that were deleted stay deleted.
  if (bot.actionsVersion === 0) await insertActions(deps)
  return { botId: DEMO_BOT_ID, keyPath: await ensureKeyFile(deps) }
}

async function insertActions({ actions, makeActionSecret, config, clock }: Deps) {
  const bundledActions = demoActions(DEMO_BOT_ID, config.baseUrl, clock())
  for (const action of bundledActions) {
    await actions.insert({ ...action, secret: makeActionSecret(action.id) }, ACTIONS_PER_BOT).catch((error) => {
      // Another node was faster.
      if (!(error instanceof StorageError && error.kind === 'unique')) throw error
    })
  }
}

/** Keys are stored only as hashes, so the demo's secret is kept in a private file. */
async function ensureKeyFile({ keys, config, clock }: Deps): Promise<string> {
  const path = join(config.dataDir, 'demo-key')
  // The file may outlive its key: the database was recreated, or the key revoked.
  const storedSecret = readSecretFile(path)
  const key = storedSecret === null ? undefined : await keys.findPresented('chat', hashSecret(storedSecret))
  if (key?.botId === DEMO_BOT_ID && isActive(key, clock())) return path
  const { secret, hash, lastFour } = makeSecret('chat')
  await keys.insert({
    botId: DEMO_BOT_ID,
    id: randomId('key'),
    kind: 'chat',
    name: 'demo',
    hash,
    lastFour,
    createdBy: 'first start',
    createdAt: clock(),
    expiresAt: null,
    revokedAt: null,
    dailyLimit: null,
  })
  writeSecretFile(path, secret)
  return path
}
