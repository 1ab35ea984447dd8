// The servers that run on this database. What a newer version no longer needs is removed when no older one is here.
import type { Database, Dialect } from './database.ts'
import { finishUpgrade, type NodeName, readSchema, registerNode } from './migrate.ts'
import { SCHEMA_VERSION } from './migrations/migrations.ts'

export type NodesTable = ReturnType<typeof createNodesTable>

export function createNodesTable(database: Database, dialect: Dialect) {
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
