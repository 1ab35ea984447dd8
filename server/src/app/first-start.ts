// Created at first start: the instance's workspace and, unless disabled, the demo bot and the docs site's bot.

import type { SyncProducts } from '../catalogue/products/sync-products.ts'
import type { Config } from '../config.ts'
import { demoBot, ensureDemoBot } from '../demo/ensure-demo-bot.ts'
import { docsBot, ensureDocsBot } from '../docs/ensure-docs-bot.ts'
import type { ImportDocuments } from '../sources/documents/documents.ts'
import type { Storage } from '../storage/storage.ts'
import { INSTANCE_WORKSPACE_ID, type WorkspaceRecord } from '../storage/workspaces.ts'

interface Deps {
  storage: Pick<Storage, 'actions' | 'bots' | 'keys' | 'workspaces'>
  makeActionSecret: (actionId: string) => string
  importDocuments: ImportDocuments
  syncProducts: SyncProducts
  config: Config
  clock: () => number
}

export async function firstStart(deps: Deps) {
  const { storage, importDocuments, syncProducts, makeActionSecret, config, clock } = deps
  const { actions, bots, keys, workspaces } = storage
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
    demo: await ensureDemoBot({
      actions,
      bots,
      keys,
      makeActionSecret,
      importDocuments,
      syncProducts,
      workspaceId,
      config,
      clock,
    }),
    docsBotId: await ensureDocsBot({ bots, importDocuments, workspaceId, baseUrl }),
  }
}
