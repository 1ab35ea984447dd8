// This server among those on its database: says that it runs, and finishes upgrades when no older one is left.

import type { Part } from '../lifecycle.ts'
import type { NodesTable } from '../storage/instance.ts'
import type { NodeName } from '../storage/migrations/migrate.ts'

// A quarter of the time after which others take it for ended.
const EVERY_MS = 15_000
const LAST_WAIT_MS = 2000

interface Deps {
  nodes: NodesTable
  node: NodeName
  clock: () => number
  info: (message: string) => void
  onError: (error: unknown) => void
}

export function openNode({ nodes, node, clock, info, onError }: Deps): Part {
  let timer: NodeJS.Timeout | undefined
  let finishing: Promise<void> | null = null
  let toldLeft = ''
  let isFinished = false

  async function finish() {
    const unfinishedSteps = await nodes.finishUpgrade(clock())
    isFinished = unfinishedSteps.length === 0
    if (!isFinished && unfinishedSteps.join() !== toldLeft)
      info(`the upgrade of the database goes on later: ${unfinishedSteps.join(', ')}`)
    toldLeft = unfinishedSteps.join()
  }

  function heartbeat() {
    nodes.register(node, clock()).catch(onError)
    if (isFinished) return
    // Building an index can take hours.
    finishing ??= finish()
      .catch(onError)
      .finally(() => {
        finishing = null
      })
  }

  return {
    start() {
      timer = setInterval(heartbeat, EVERY_MS).unref()
      heartbeat()
    },
    async stop() {
      clearInterval(timer)
      await Promise.race([finishing, new Promise((resolve) => setTimeout(resolve, LAST_WAIT_MS).unref())])
      await nodes.remove(node).catch(onError)
    },
  }
}
