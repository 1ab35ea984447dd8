// Created at first start: the instance's workspace and, unless disabled, the demo bot and the docs site's bot.

import type { SyncProducts } from '../catalogue/products/sync-products.ts'
import type { Config } from '../config.ts'
import { demoBot, ensureDemoBot } from '../demo/ensure-demo-bot.ts'
import { docsBot, ensureDocsBot } from '../docs/ensure-docs-bot.ts'
import type { ImportDocuments } from '../sources/documents/documents.ts'
import type { Storage } from '../storage/storage.ts'
import { INSTANCE_WORKSPACE_ID, type WorkspaceRecord } from '../storage/workspaces.ts'

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
    totalDailyLimit: null,
    createdAt: clock(),
  }
  const { baseUrl } = config
  const firstBots = config.demo ? [demoBot, docsBot].map((make) => make(workspaceId, baseUrl, clock())) : []
  await workspaces.ensureInstance(
    instance,
    firstBots.map((bot) => bots.insertion(bot)),
  )
  if (!config.demo) return { demo: null, docsBotId: null }
  return {
    demo: await ensureDemoBot({ bots, keys, importDocuments, syncProducts, workspaceId, config, clock }),
    docsBotId: await ensureDocsBot({ bots, importDocuments, workspaceId, baseUrl }),
  }
}
