// Exports and imports the rows of a bot. Credentials stay behind: API keys, webhook secrets, model keys, identity keys.
import { columnOf, type Queries, type Row, type Value } from '../database.ts'
import type { ArchiveDatabase } from './archive.ts'
import { insertRows, type OnRows, readRows, type TableShape } from './rows.ts'

const KNOWLEDGE = [
  'documents',
  'passages',
  'passage_edits',
  'document_vectors',
  'files',
  'curated_answers',
  'test_questions',
  'test_schedules',
  'actions',
  'products',
  'crawls',
  'crawl_pages',
  'question_writing',
  'dismissed_questions',
  'webhooks',
  'avatars',
]
const CONVERSATIONS = [
  'visitors',
  'conversations',
  'messages',
  'passage_citations',
  'visitor_identities',
  'conversation_notes',
  'note_mentions',
  'answer_proposals',
  'conversation_changes',
  'conversation_tags',
  'conversation_devices',
  'conversation_pages',
  'attachments',
  'leads',
  'sent_forms',
  'activity',
  'resolutions',
]

export const MOVED_TABLES: readonly string[] = [...KNOWLEDGE, ...CONVERSATIONS]

/** JSON columns, by their names in rows, and the shape they must have. */
const json: Record<string, Record<string, 'list' | 'object' | 'any'>> = {
  bots: { languageModel: 'object', widgetSettings: 'object', translations: 'list' },
  passages: { headings: 'list', questions: 'list' },
  passage_edits: { headings: 'list', phrasings: 'list' },
  curated_answers: { alternatives: 'list' },
  test_questions: { sources: 'list', passedSources: 'list' },
  actions: { definition: 'object', authShape: 'object' },
  products: { body: 'object' },
  crawls: { hosts: 'list', include: 'list', exclude: 'list' },
  conversations: { metadata: 'object' },
  messages: { sources: 'list', documentIds: 'list', productIds: 'list', shown: 'any', action: 'object' },
  leads: { fields: 'any' },
  sent_forms: { fields: 'list' },
  visitor_identities: { attributes: 'object' },
}

export interface BotExport {
  /** Exactly one of the two is set. */
  botId: string | null
  workspaceId: string | null
  withConversations: boolean
}

/** Returns the bots' names by id. */
export async function exportBotRows(from: Queries, to: ArchiveDatabase, selection: BotExport, onRows: OnRows) {
  const bots = await from.query<{ id: string; workspaceId: string; name: string } & Row>(
    'SELECT * FROM bots WHERE id = $1 OR workspace_id = $2 ORDER BY id',
    [selection.botId, selection.workspaceId],
  )
  const workspaceId = selection.workspaceId ?? bots[0]?.workspaceId ?? null
  const workspaces = await from.query('SELECT * FROM workspaces WHERE id = $1', [workspaceId])
  if (workspaces.length === 0 || (selection.botId && bots.length === 0))
    throw new Error(
      `There is no ${selection.botId ? `bot ${selection.botId}` : `workspace ${selection.workspaceId}`} here.`,
    )
  await insertRows(to, shapeOf(to, 'workspaces'), workspaces)
  await insertRows(
    to,
    shapeOf(to, 'bots'),
    bots.map((row) => withoutSecrets('bots', row)),
  )
  const names = [...KNOWLEDGE, ...(selection.withConversations ? CONVERSATIONS : [])]
  for (const { id } of bots)
    for (const table of to.tables.filter(({ name }) => names.includes(name)))
      for await (const rows of readRows(from, table, { equal: ownRows(table, id) })) {
        await insertRows(
          to,
          table,
          rows.map((row) => withoutSecrets(table.name, row)),
        )
        onRows(table.name, rows.length)
      }
  return bots.map(({ id, name }) => ({ id, name }))
}

interface BotImport {
  /** Null: recreate the archive's workspace. */
  workspaceId: string | null
  newId: (prefix: 'bot' | 'ws' | 'whk' | 'act') => string
  /** Creates and seals the new secret of a webhook or an action. */
  newSecret: (id: string) => { secret: string; sealed: string }
  onRows: OnRows
}

interface ImportedBot {
  id: string
  /** The id in the archive; `id` differs only when that one is taken. */
  oldId: string
  name: string
  webhooks: { id: string; url: string; secret: string }[]
  actions: { id: string; name: string; secret: string }[]
}

/** Runs in a transaction of the target. */
export async function importBotRows(from: ArchiveDatabase, tx: Queries, options: BotImport) {
  const workspaceId = options.workspaceId ?? (await importWorkspace(from, tx, options))
  const workspaces = await tx.query('SELECT id FROM workspaces WHERE id = $1', [workspaceId])
  if (workspaces.length === 0) throw new Error(`There is no workspace ${workspaceId} here. Nothing was changed.`)
  const importedBots: ImportedBot[] = []
  for await (const bots of readRows(from, shapeOf(from, 'bots')))
    for (const bot of bots) importedBots.push(await importBot(from, tx, bot, workspaceId, options))
  return { workspaceId, bots: importedBots }
}

async function importWorkspace(from: ArchiveDatabase, tx: Queries, { newId }: BotImport): Promise<string> {
  const [row, ...others] = await from.query('SELECT * FROM workspaces')
  if (!row || others.length > 0) throw new Error('The archive must hold exactly one workspace. Nothing was changed.')
  const id = await freeId(tx, 'workspaces', String(row.id), () => newId('ws'))
  await insertRows(tx, shapeOf(from, 'workspaces'), [{ ...row, id }])
  return id
}

async function importBot(from: ArchiveDatabase, tx: Queries, bot: Row, workspaceId: string, options: BotImport) {
  const oldId = String(bot.id)
  if (!/^[a-z]+_[a-z0-9]{1,64}$/.test(oldId)) throw new Error('The archive holds a bot with an invalid id.')
  const id = await freeId(tx, 'bots', oldId, () => options.newId('bot'))
  requireJson('bots', bot)
  await insertRows(tx, shapeOf(from, 'bots'), [withoutSecrets('bots', { ...bot, id, workspaceId })])
  const webhooks: ImportedBot['webhooks'] = []
  const actions: ImportedBot['actions'] = []
  let settings = typeof bot.widgetSettings === 'string' ? bot.widgetSettings : undefined
  for (const table of from.tables.filter(({ name }) => MOVED_TABLES.includes(name)))
    for await (const rows of readRows(from, table, { equal: ownRows(table, oldId) })) {
      for (const row of rows) {
        row.botId = id
        requireJson(table.name, row)
        if (table.name === 'webhooks') webhooks.push({ ...renew(row, 'whk', options), url: String(row.url) })
        if (table.name === 'actions') {
          const oldActionId = String(row.id)
          actions.push({ ...renew(row, 'act', options), name: String(row.name) })
          // Buttons name the actions they start.
          settings = settings?.replaceAll(JSON.stringify(oldActionId), JSON.stringify(row.id))
        }
      }
      await insertRows(tx, table, rows)
      options.onRows(table.name, rows.length)
    }
  if (settings && settings !== bot.widgetSettings)
    await tx.query('UPDATE bots SET widget_settings = $2 WHERE id = $1', [id, settings])
  return { id, oldId, name: String(bot.name), webhooks, actions }
}

/** Secrets are bound to ids, and those of webhooks are unique across bots, so each import needs new ones. */
function renew(row: Row, prefix: 'whk' | 'act', { newId, newSecret }: BotImport) {
  row.id = newId(prefix)
  const { secret, sealed } = newSecret(row.id)
  row.secret = sealed
  return { id: row.id, secret }
}

async function freeId(tx: Queries, table: 'bots' | 'workspaces', preferredId: string, make: () => string) {
  const rows = await tx.query(`SELECT id FROM ${table} WHERE id = $1`, [preferredId])
  return rows.length === 0 ? preferredId : make()
}

function ownRows({ name }: TableShape, botId: string): Record<string, Value> {
  // Skip mirrors, which belong to API keys, and notification channels, which are useless without their secret.
  return name === 'webhooks' ? { botId, keyId: null, kind: 'webhook' } : { botId }
}

function withoutSecrets(table: string, row: Row): Row {
  if (table === 'webhooks') return { ...row, secret: '', previousSecret: null, previousUntil: null }
  if (table === 'actions') return { ...row, auth: null, secret: '', previousSecret: null, previousUntil: null }
  if (table === 'crawls' || table === 'question_writing') return { ...row, lease: null, leasedUntil: 0 }
  if (table !== 'bots' || typeof row.languageModel !== 'string') return row
  const model = { ...JSON.parse(row.languageModel), apiKey: null, apiKeyLastFour: null }
  return { ...row, languageModel: JSON.stringify(model) }
}

function requireJson(table: string, row: Row) {
  for (const [property, kind] of Object.entries(json[table] ?? {})) {
    const text = row[property]
    if (typeof text === 'string' && !isJson(text, kind))
      throw new Error(`The table ${table} of the archive has an invalid "${columnOf(property)}". Nothing was changed.`)
  }
}

function isJson(text: string, kind: 'list' | 'object' | 'any'): boolean {
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'list') return Array.isArray(value)
    return typeof value === 'object' && value !== null && (kind === 'any' || !Array.isArray(value))
  } catch {
    return false
  }
}

function shapeOf({ tables }: ArchiveDatabase, name: string): TableShape {
  const table = tables.find((one) => one.name === name)
  if (!table) throw new Error(`There is no table ${name}.`)
  return table
}
