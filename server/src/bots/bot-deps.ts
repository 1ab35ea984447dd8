import type { Audit } from '../access/audit.ts'
import type { FindBot } from '../access/managers.ts'
import type { BotsTable } from '../storage/bots.ts'
import type { LanguageModelDeps } from './read-language-model.ts'

/** Dependencies shared by all bot operations. */
export interface BotDeps extends LanguageModelDeps {
  bots: BotsTable
  findBot: FindBot
  /** Clears cached bots. */
  onChanged: () => void
  onRemoved: (botId: string) => void
  instanceWorkspaceId: string
  audit: Audit
  clock: () => number
}
