import type { SavedFilters } from '@docent/contract'
import { type Database, first } from '../database.ts'

type Filters = SavedFilters['filters']

export type SavedFiltersTable = ReturnType<typeof createSavedFiltersTable>

/** Saved inbox filters, one list per person. */
export function createSavedFiltersTable(database: Database) {
  return {
    async find(workspaceId: string, ownerId: string): Promise<Filters> {
      const row = await first(
        database.query<{ filters: string }>(
          'SELECT filters FROM saved_filters WHERE workspace_id = $1 AND owner_id = $2',
          [workspaceId, ownerId],
        ),
      )
      return row ? (JSON.parse(row.filters) as Filters) : []
    },

    async replace(workspaceId: string, ownerId: string, filters: Filters) {
      await database.write(
        `INSERT INTO saved_filters (workspace_id, owner_id, filters) VALUES ($1, $2, $3)
         ON CONFLICT (workspace_id, owner_id) DO UPDATE SET filters = excluded.filters`,
        [workspaceId, ownerId, JSON.stringify(filters)],
      )
    },
  }
}
