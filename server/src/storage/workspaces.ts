import type { Plan } from '@docent/contract'
import { type Database, first, type Queries, type Statement } from './database.ts'
import { assignments } from './statements.ts'

/** The workspace every instance has from its first start. */
export const INSTANCE_WORKSPACE_ID = 'ws_instance'

export interface WorkspaceRecord {
  id: string
  name: string
  plan: Plan
  dailyLimit: number | null
  /** Over all keys; null: none. */
  totalDailyLimit: number | null
  createdAt: number
}

export interface WorkspaceChange {
  name?: string | undefined
  plan?: Plan | undefined
  dailyLimit?: number | null | undefined
  totalDailyLimit?: number | null | undefined
}

const CHANGEABLE = ['name', 'plan', 'dailyLimit', 'totalDailyLimit'] as const

export type WorkspacesTable = ReturnType<typeof openWorkspacesTable>

export function openWorkspacesTable(database: Database) {
  return {
    async insert(workspace: WorkspaceRecord) {
      await database.write(
        'INSERT INTO workspaces (id, name, plan, daily_limit, created_at, total_daily_limit) VALUES ($1, $2, $3, $4, $5, $6)',
        [
          workspace.id,
          workspace.name,
          workspace.plan,
          workspace.dailyLimit,
          workspace.createdAt,
          workspace.totalDailyLimit,
        ],
      )
    },

    async find(id: string) {
      return first(database.query<WorkspaceRecord>('SELECT * FROM workspaces WHERE id = $1', [id]))
    },

    /** Creates the instance's workspace and first bots, once; later starts change nothing. */
    ensureInstance: (workspace: WorkspaceRecord, firstBots: readonly Statement[]) =>
      database.transaction(async (tx) => {
        const rows = await tx.query(
          `INSERT INTO workspaces (id, name, plan, daily_limit, created_at, total_daily_limit) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [
            workspace.id,
            workspace.name,
            workspace.plan,
            workspace.dailyLimit,
            workspace.createdAt,
            workspace.totalDailyLimit,
          ],
        )
        if (rows.length === 0) return
        for (const { sql, values } of firstBots) await tx.query(sql, values)
      }),

    async list(after: string, limit: number) {
      return database.query<WorkspaceRecord>('SELECT * FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2', [
        after,
        limit,
      ])
    },

    async update(id: string, change: WorkspaceChange) {
      const statement = assignments('workspaces', { id }, CHANGEABLE, change)
      if (statement) await database.write(statement.sql, statement.values)
    },
  }
}

/** Until the end of the transaction. */
export async function lockWorkspace(tx: Queries, id: string): Promise<void> {
  await tx.query('UPDATE workspaces SET name = name WHERE id = $1', [id])
}
