import { Fault, KEYS_PER_BOT, type Plan } from '@docent/contract'
import { type Database, first, type Queries, type Statement } from './database.ts'
import { assignments } from './statements.ts'

export type KeyKind = 'chat' | 'sync'

export interface KeyRecord {
  botId: string
  id: string
  kind: KeyKind
  name: string
  hash: string
  lastFour: string
  createdBy: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  dailyLimit: number | null
}

/** A key as presented by a caller, with its tenant. */
export interface PresentedKey {
  id: string
  botId: string
  workspaceId: string
  plan: Plan
  dailyLimit: number | null
  /** Of all keys of the workspace together; null: none. */
  workspaceLimit: number | null
  expiresAt: number | null
  revokedAt: number | null
  /** The endpoint its calls are mirrored to. */
  mirrorId: string | null
}

interface KeyChange {
  name?: string | undefined
  expiresAt?: number | null | undefined
  dailyLimit?: number | null | undefined
}

const CHANGEABLE = ['name', 'expiresAt', 'dailyLimit'] as const

export interface KeyUse {
  lastCallAt: number | null
  callsToday: number
}

/** Where a key's calls are mirrored to. */
export interface KeyMirror {
  mirror: { id: string; url: string } | null
}

interface UsedKeyRow extends KeyRecord {
  lastCallAt: number | null
  callsToday: number | null
  mirrorId: string | null
  mirrorUrl: string | null
}

const SELECT_WITH_USE = `SELECT k.*, m.id AS mirror_id, m.url AS mirror_url,
    (SELECT max(last_call_at) FROM quota_days q WHERE q.bot_id = k.bot_id AND q.key_id = k.id) AS last_call_at,
    (SELECT calls FROM quota_days q WHERE q.bot_id = k.bot_id AND q.key_id = k.id AND q.day = $2) AS calls_today
  FROM keys k LEFT JOIN webhooks m ON m.bot_id = k.bot_id AND m.key_id = k.id
  WHERE k.bot_id = $1 AND k.kind = 'chat'`

export type KeysTable = ReturnType<typeof openKeysTable>

export function openKeysTable(database: Database) {
  return {
    /** In a transaction: statements of a PostgreSQL batch do not see each other, and a mirror references its key. */
    insert: (key: KeyRecord, together: Statement[] = []) =>
      database.transaction(async (tx) => {
        await requireRoom(tx, key)
        await insert(tx, key)
        for (const { sql, values } of together) await tx.query(sql, values)
      }),

    /** The only lookup by secret: determines the caller's tenant. */
    async findPresented(kind: KeyKind, hash: string): Promise<PresentedKey | undefined> {
      return first(
        database.query<PresentedKey>(
          `SELECT k.id, k.bot_id, b.workspace_id, w.plan, coalesce(k.daily_limit, w.daily_limit) AS daily_limit,
             w.total_daily_limit AS workspace_limit, k.expires_at, k.revoked_at, m.id AS mirror_id
           FROM keys k JOIN bots b ON b.id = k.bot_id JOIN workspaces w ON w.id = b.workspace_id
           LEFT JOIN webhooks m ON m.bot_id = k.bot_id AND m.key_id = k.id AND m.disabled_at IS NULL
           WHERE k.hash = $1 AND k.kind = $2`,
          [hash, kind],
        ),
      )
    },

    async find(botId: string, id: string, day: number) {
      const row = await first(database.query<UsedKeyRow>(`${SELECT_WITH_USE} AND k.id = $3`, [botId, day, id]))
      return row && fromUsedRow(row)
    },

    async list(botId: string, day: number, after: string, limit: number) {
      const rows = await database.query<UsedKeyRow>(`${SELECT_WITH_USE} AND k.id > $3 ORDER BY k.id LIMIT $4`, [
        botId,
        day,
        after,
        limit,
      ])
      return rows.map(fromUsedRow)
    },

    /** False when this would change the expiry of a rotated key. */
    async update(botId: string, id: string, change: KeyChange) {
      const statement = assignments('keys', { botId, id }, CHANGEABLE, change)
      if (!statement) return true
      const unless = change.expiresAt === undefined ? '' : 'AND replaced_at IS NULL'
      return (await database.write(`${statement.sql} ${unless} RETURNING id`, statement.values)).length > 0
    },

    async revoke(botId: string, id: string, at: number) {
      await database.write('UPDATE keys SET revoked_at = coalesce(revoked_at, $3) WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        at,
      ])
    },

    /** Inserts the successor and sets the old key's expiry, or neither. False: it was rotated or revoked before. */
    rotate: (oldId: string, endsAt: number, successor: KeyRecord, together: Statement[]) =>
      database.transaction(async (tx) => {
        const which = 'id = $4 AND replaced_at IS NULL AND revoked_at IS NULL'
        const endedKeys = await tx.query(ending(which), [successor.botId, endsAt, successor.createdAt, oldId])
        if (endedKeys.length === 0) return false
        await requireRoom(tx, successor)
        await insert(tx, successor)
        for (const { sql, values } of together) await tx.query(sql, values)
        return true
      }),

    rotateSyncKeys: (endsAt: number, successor: KeyRecord) =>
      database.transaction(async (tx) => {
        // Locks the bot's row, so that each successor sees the one before it.
        await tx.query('UPDATE bots SET name = name WHERE id = $1', [successor.botId])
        await tx.query(ending(`kind = 'sync'`), [successor.botId, endsAt, successor.createdAt])
        await insert(tx, successor)
      }),
  }
}

/** Expires keys of bot $1 at $2, the end of the overlap, unless they expire earlier, and marks them as rotated at $3. */
function ending(which: string): string {
  return `UPDATE keys SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END,
            replaced_at = coalesce(replaced_at, $3)
          WHERE bot_id = $1 AND ${which} RETURNING id`
}

/** Throws when the bot has as many valid keys as it may have. */
async function requireRoom(tx: Queries, { botId, createdAt }: KeyRecord) {
  // Locks the bot's row, so that each new key sees the one before it.
  await tx.query('UPDATE bots SET name = name WHERE id = $1', [botId])
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*) AS n FROM keys WHERE bot_id = $1 AND kind = 'chat' AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > $2)`,
    [botId, createdAt],
  )
  if ((row?.n ?? 0) >= KEYS_PER_BOT) throw new Fault('too_many_keys')
}

async function insert(tx: Queries, key: KeyRecord) {
  const { sql, values } = insertion(key)
  await tx.query(sql, values)
}

function insertion(key: KeyRecord): Statement {
  return {
    sql: `INSERT INTO keys (bot_id, id, kind, name, hash, last_four, created_by, created_at, expires_at, daily_limit)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      key.botId,
      key.id,
      key.kind,
      key.name,
      key.hash,
      key.lastFour,
      key.createdBy,
      key.createdAt,
      key.expiresAt,
      key.dailyLimit,
    ],
  }
}

function fromUsedRow({ mirrorId, mirrorUrl, ...row }: UsedKeyRow): KeyRecord & KeyUse & KeyMirror {
  const mirror = mirrorId === null ? null : { id: mirrorId, url: mirrorUrl ?? '' }
  return { ...row, callsToday: row.callsToday ?? 0, mirror }
}
