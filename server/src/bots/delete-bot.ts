import { titleOf } from '../access/audit.ts'
import type { ManagerCall } from '../access/managers.ts'
import type { BotDeps } from './bot-deps.ts'

export async function deleteBot(
  { bots, findBot, onChanged, onRemoved, audit }: BotDeps,
  call: ManagerCall,
  botId: string,
): Promise<void> {
  const bot = await findBot(call.caller, botId)
  await bots.remove(bot.workspaceId, bot.id)
  onChanged()
  onRemoved(bot.id)
  await audit.record(call, bot.workspaceId, 'bot.deleted', titleOf(bot))
}
