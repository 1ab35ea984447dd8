// Bots as strangers reach them, by their id alone. Remembered for a moment: who floods a bot costs no look-ups.
import type { BotRecord, BotsTable } from '../storage/bots/bots.ts'

const REMEMBERED_MS = 800
const MOST_REMEMBERED = 10_000

export interface PublicBots {
  /** Perhaps a second old: good for look, origins and limits, not for answering. */
  find(botId: string): Promise<BotRecord | undefined>
  forget(): void
}

export function createPublicBots(bots: Pick<BotsTable, 'find' | 'findWorkspaceId'>, clock: () => number): PublicBots {
  const remembered = new Map<string, { bot: BotRecord | undefined; until: number }>()
  let generation = 0

  return {
    async find(botId) {
      const now = clock()
      const entry = remembered.get(botId)
      // Not longer either, when the clock was set back.
      if (entry && entry.until > now && entry.until - now <= REMEMBERED_MS) return entry.bot
      const asked = generation
      const workspaceId = await bots.findWorkspaceId(botId)
      const bot = workspaceId === undefined ? undefined : await bots.find(workspaceId, botId)
      if (asked === generation) {
        if (remembered.size >= MOST_REMEMBERED) remembered.clear()
        remembered.set(botId, { bot, until: now + REMEMBERED_MS })
      }
      return bot
    },
    forget() {
      generation++
      remembered.clear()
    },
  }
}
