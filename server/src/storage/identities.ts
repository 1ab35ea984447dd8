// Visitors whom sites have proven to be their users, and the keys they prove it with.
import { type Database, first, makeFromRow, type Queries, type Stored } from './database.ts'
import type { VisitorsTable } from './visitors.ts'

export interface IdentityKeyRecord {
  botId: string
  /** The `kid` of tokens. */
  id: string
  /** Sealed. */
  secret: string
  lastFour: string
  createdAt: number
  lastUsedAt: number | null
}

export function openIdentityKeysTable(database: Database) {
  return {
    /** False when the bot has reached its limit. */
    insert: (key: IdentityKeyRecord, most: number) =>
      database.transaction(async (tx) => {
        // Locks the bot's row: concurrent inserts then see each other.
        await tx.query('UPDATE bots SET name = name WHERE id = $1', [key.botId])
        const [row] = await tx.query<{ count: number }>(
          'SELECT count(*) AS count FROM identity_keys WHERE bot_id = $1',
          [key.botId],
        )
        if ((row?.count ?? 0) >= most) return false
        await tx.query(
          'INSERT INTO identity_keys (bot_id, id, secret, last_four, created_at) VALUES ($1, $2, $3, $4, $5)',
          [key.botId, key.id, key.secret, key.lastFour, key.createdAt],
        )
        return true
      }),

    list: (botId: string) =>
      database.query<IdentityKeyRecord>('SELECT * FROM identity_keys WHERE bot_id = $1 ORDER BY created_at, id', [
        botId,
      ]),

    async recordUse(botId: string, id: string, now: number) {
      await database.writeRelaxed('UPDATE identity_keys SET last_used_at = $3 WHERE bot_id = $1 AND id = $2', [
        botId,
        id,
        now,
      ])
    },

    /** Returns whether it existed. */
    async remove(botId: string, id: string): Promise<boolean> {
      const rows = await database.write('DELETE FROM identity_keys WHERE bot_id = $1 AND id = $2 RETURNING id', [
        botId,
        id,
      ])
      return rows.length > 0
    },
  }
}

/** What a site has stated about its user. */
export interface IdentityDetails {
  name: string | null
  email: string | null
  phone: string | null
  attributes: Record<string, unknown>
}

/** What a site has proven. */
export interface IdentityClaims {
  userId: string
  /** Null: only the id, and what it stated before stays. */
  details: IdentityDetails | null
}

export interface IdentityRecord extends IdentityDetails {
  botId: string
  userId: string
  visitorId: string
  verifiedAt: number
}

const fromRow = makeFromRow<IdentityRecord>({ attributes: 'json' })

export function openIdentitiesTable(
  database: Database,
  visitors: Pick<VisitorsTable, 'merge' | 'addToken' | 'replaceTokens'>,
) {
  async function findBy(column: string, botId: string, id: string): Promise<IdentityRecord | undefined> {
    const row = await first(
      database.query<Stored<IdentityRecord>>(`SELECT * FROM visitor_identities WHERE bot_id = $1 AND ${column} = $2`, [
        botId,
        id,
      ]),
    )
    return row && fromRow(row)
  }

  return {
    find: (botId: string, userId: string) => findBy('user_id', botId, userId),

    findOf: (botId: string, visitorId: string) => findBy('visitor_id', botId, visitorId),

    put,

    /**
     * Makes an anonymous visitor the user: their own visitor, or part of the one that the user has already. Their tokens
     * are void then, because somebody else may have given them to the browser; `tokenHash` takes their place. Undefined
     * if there is neither visitor.
     */
    link: (botId: string, claims: IdentityClaims, anonymousId: string | null, tokenHash: string, now: number) =>
      database.transaction(async (tx) => {
        const [identity] = await tx.query<{ visitorId: string }>(
          'UPDATE visitor_identities SET verified_at = $3 WHERE bot_id = $1 AND user_id = $2 RETURNING visitor_id',
          [botId, claims.userId, now],
        )
        // Gone if another call has merged it meanwhile.
        const [anonymous] = await tx.query<{ id: string }>(
          `UPDATE visitors SET locale = locale WHERE bot_id = $1 AND id = $2 AND NOT EXISTS (
             SELECT 1 FROM visitor_identities i WHERE i.bot_id = $1 AND i.visitor_id = $2) RETURNING id`,
          [botId, anonymousId],
        )
        const visitorId = identity?.visitorId ?? anonymous?.id
        if (visitorId === undefined) return undefined
        if (identity && anonymous) {
          await visitors.merge(tx, botId, anonymous.id, identity.visitorId)
          await visitors.addToken(tx, botId, identity.visitorId, tokenHash, now)
        } else if (anonymous) await visitors.replaceTokens(tx, botId, anonymous.id, tokenHash)
        await put(tx, botId, visitorId, claims, now)
        return { visitorId, isJoined: anonymous !== undefined }
      }),
  }
}

/** A user has one visitor: that of a second first contact stays anonymous until its next call. */
async function put(tx: Queries, botId: string, visitorId: string, { userId, details }: IdentityClaims, now: number) {
  const { name = null, email = null, phone = null, attributes = {} } = details ?? {}
  const detailAssignments = details ? 'name = $4, email = $5, phone = $6, attributes = $7, ' : ''
  const [identity] = await tx.query('SELECT user_id FROM visitor_identities WHERE bot_id = $1 AND visitor_id = $2', [
    botId,
    visitorId,
  ])
  const writtenIdentities = await tx.query(
    `INSERT INTO visitor_identities (bot_id, user_id, visitor_id, name, email, phone, attributes, verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (bot_id, user_id) DO UPDATE SET ${detailAssignments}verified_at = $8 WHERE visitor_identities.visitor_id = $3
     RETURNING user_id`,
    [botId, userId, visitorId, name, email, phone, JSON.stringify(attributes), now],
  )
  if (writtenIdentities.length === 0) return
  // What an anonymous visitor merely claimed must not look proven.
  const [nameBefore, emailBefore, lowerBefore] = identity ? ['name', 'email', 'name_lower'] : ['NULL', 'NULL', 'NULL']
  await tx.query(
    `UPDATE visitors SET name = coalesce($3, ${nameBefore}), email = coalesce($4, ${emailBefore}),
       name_lower = coalesce($5, ${lowerBefore}) WHERE bot_id = $1 AND id = $2`,
    [botId, visitorId, name, email, name?.toLowerCase() ?? null],
  )
}
