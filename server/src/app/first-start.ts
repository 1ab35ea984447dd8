// What an instance has from its first start on: a workspace of its own and, unless it is not wanted, the demo bot.
import type { Config } from '../config.ts'
import { demoBot, ensureDemoBot } from '../demo/ensure-demo-bot.ts'
import type { ImportDocuments } from '../knowledge/documents/import-documents.ts'
import type { SyncProducts } from '../knowledge/products/sync-products.ts'
import type { Storage } from '../storage/storage.ts'
import { INSTANCE_WORKSPACE_ID, type WorkspaceRecord } from '../storage/workspaces/workspaces.ts'

interface Deps {
  storage: Pick<Storage, 'bots' | 'keys' | 'workspaces'>
  importDocuments: ImportDocuments
  syncProducts: SyncProducts
  config: Config
  clock: () => number
}

export async function firstStart({ storage, importDocuments, syncProducts, config, clock }: Deps) {
  const { bots, keys, workspaces } = storage
  const workspaceId = INSTANCE_WORKSPACE_ID
  const instance: WorkspaceRecord = {
    id: workspaceId,
    name: 'My workspace',
    plan: 'enterprise',
    dailyLimit: null,
    createdAt: clock(),
  }
  const firstBot = config.demo ? bots.insertion(demoBot(workspaceId, config.baseUrl, clock())) : null
  await workspaces.ensureInstance(instance, firstBot)
  return config.demo ? ensureDemoBot({ bots, keys, importDocuments, syncProducts, workspaceId, config, clock }) : null
}
