// Stores the indexes of large catalogues in the database, so that the first question after a start need not wait
// for a build. A snapshot is for one version; later changes are then applied.
import { randomId } from '../../ids.ts'
import type { ProductSnapshotsTable } from '../../storage/snapshots.ts'
import type { ProductIndex } from './product-index.ts'
import { createSnapshotReader, productSnapshotFormat, snapshotParts } from './snapshot-parts.ts'

interface Head {
  format: string
  language: string
  version: number
  parts: number
}

export interface SavedProducts {
  version: number
  index: ProductIndex
}

export type ProductSnapshots = ReturnType<typeof createProductSnapshots>

export function createProductSnapshots(snapshots: ProductSnapshotsTable) {
  return {
    async load(botId: string, language: string, turn: () => Promise<void>): Promise<SavedProducts | undefined> {
      const heads = (await snapshots.listHeads(botId)).map(({ save_id, data }) => ({
        saveId: save_id,
        ...headOf(data),
      }))
      const [newest] = heads
        .filter((head) => head.format === productSnapshotFormat && head.language === language)
        .sort((a, b) => b.version - a.version)
      if (!newest) return undefined
      const reader = createSnapshotReader(language)
      for (let part = 1; part <= newest.parts; part++) {
        const data = await snapshots.loadPart(botId, newest.saveId, part)
        // Another node has just replaced it with a newer one.
        if (!data) return undefined
        const isLast = reader.add(data)
        if (isLast) return { version: newest.version, index: reader.index }
        await turn()
      }
      return undefined
    },

    /** Stops as soon as the index is needed for something else. */
    async save(botId: string, { version, index }: SavedProducts, isWanted: () => boolean, turn: () => Promise<void>) {
      const saveId = randomId('req')
      let parts = 0
      for (const data of snapshotParts(index)) {
        if (isWanted()) break
        await snapshots.savePart(botId, saveId, ++parts, data)
        await turn()
      }
      const isWhole = !isWanted()
      const head: Head = { format: productSnapshotFormat, language: index.language, version, parts }
      if (isWhole) await snapshots.savePart(botId, saveId, 0, Buffer.from(JSON.stringify(head)))
      return { isWhole, saveId }
    },

    /** Deletes the bot's other snapshots. */
    async removeOthers(botId: string, saveId: string, turn: () => Promise<void>) {
      while (await snapshots.removeOthers(botId, saveId)) await turn()
    },
  }
}

function headOf(data: Uint8Array): Head {
  return JSON.parse(Buffer.from(data).toString('utf8'))
}
