import type { CannedReply } from '@docent/contract'
import { useApiList } from '../../api.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'

/** All canned replies of the workspace, sorted by shortcut. */
export function useCannedReplies() {
  const workspaceId = useWorkspaceId()
  const list = useApiList(
    'GET /api/manage/v1/workspaces/{workspaceId}/canned-replies',
    { params: { workspaceId }, query: { limit: 200 } },
    { enabled: workspaceId !== '' },
  )
  const items = [...list.items].sort((one, other) => one.shortcut.localeCompare(other.shortcut))
  return { ...list, items, workspaceId }
}

export interface ReplyNames {
  visitor: string | null
  agent: string
  bot: string
}

/** Fills in the variables. An unknown value leaves no gap: "Hello {{visitor.name}}," becomes "Hello,". */
export function fillReply({ text }: Pick<CannedReply, 'text'>, { visitor, agent, bot }: ReplyNames): string {
  const values: Record<string, string> = { 'visitor.name': visitor ?? '', 'agent.name': agent, 'bot.name': bot }
  return text
    .replace(/( ?)\{\{\s*([a-z.]+)\s*\}\}/g, (whole, space: string, name: string) => {
      const value = values[name]
      return value === undefined ? whole : value && space + value
    })
    .trimStart()
}
