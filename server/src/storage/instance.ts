import { type Database, type Dialect, first, type Queries, type Row } from './database.ts'
import { finishUpgrade, type NodeName, readSchema, registerNode } from './migrations/migrate.ts'
import { SCHEMA_VERSION } from './migrations/migrations.ts'

/** Fingerprint of the key that sealed the secrets in this database. */
export const SECRET_KEY_FINGERPRINT = 'secret_key_fingerprint'

/** Present while an instance is being copied into this database. */
export const COPY_PROGRESS = 'copy_progress'

/** JSON: how the scheduled backups went, and which node makes one. */
export const SCHEDULED_BACKUPS = 'scheduled_backups'

interface Sealed {
  kind: 'webhook' | 'second_factor' | 'language_model'
  /** Id of the webhook, account or bot. */
  id: string
  sealed: string
}

export function openInstanceValuesTable(database: Database) {
  const find = (name: string) => readInstanceValue(database, name)

  return {
    find,

    async set(name: string, value: string) {
      await database.write(
        'INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
        [name, value],
      )
    },

    /** Sets it if it still has the value that the caller has read (null: none); returns whether it had. */
    async replace(name: string, previous: string | null, value: string): Promise<boolean> {
      const changedRows = await (previous === null
        ? database.write(
            'INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name',
            [name, value],
          )
        : database.write('UPDATE instance_values SET value = $2 WHERE name = $1 AND value = $3 RETURNING name', [
            ...[name, value, previous],
          ]))
      return changedRows.length > 0
    },

    /** Any text sealed with the secret key, and its owner; null where there is none. */
    async findSealed(): Promise<Sealed | null> {
      const sealedRows = await database.query<Sealed & Row>(
        `SELECT * FROM (SELECT 'webhook' AS kind, id, secret AS sealed FROM webhooks LIMIT 1) AS webhook
         UNION ALL SELECT * FROM (SELECT 'second_factor' AS kind, id, second_factor AS sealed FROM accounts
           WHERE second_factor IS NOT NULL LIMIT 1) AS account`,
        [],
      )
      const [one] = sealedRows
      if (one) return one
      const models = await database.query<{ id: string; languageModel: string }>(
        'SELECT id, language_model FROM bots WHERE language_model IS NOT NULL',
        [],
      )
      for (const { id, languageModel } of models) {
        const { apiKey } = JSON.parse(languageModel) as { apiKey: string | null }
        if (apiKey) return { kind: 'language_model', id, sealed: apiKey }
      }
      return null
    },

    /** Inserts it unless present; returns the stored value. */
    async findOrInsert(name: string, value: string): Promise<string> {
      await database.write('INSERT INTO instance_values (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
        name,
        value,
      ])
      return (await find(name)) ?? value
    },
  }
}

export async function readInstanceValue(queries: Queries, name: string): Promise<string | null> {
  const row = first(queries.query<{ value: string }>('SELECT value FROM instance_values WHERE name = $1', [name]))
  return (await row)?.value ?? null
}

// The servers that run on this database. What a newer version no longer needs is removed when no older one is here.

export type NodesTable = ReturnType<typeof openNodesTable>

export function openNodesTable(database: Database, dialect: Dialect) {
  return {
    /** Says that the node is still running. */
    async register(node: NodeName, now: number) {
      await registerNode({ query: database.writeRelaxed }, node, SCHEMA_VERSION, now)
    },

    async remove({ id }: NodeName) {
      await database.write('DELETE FROM nodes WHERE id = $1', [id])
    },

    /** Whether a newer version has removed what this one uses. */
    async isOutdated(): Promise<boolean> {
      return (await readSchema(database)).leastSchema > SCHEMA_VERSION
    },

    /** Returns what is left to do later. */
    finishUpgrade: (now: number) => finishUpgrade(database, dialect, now),
  }
}
