import type { CannedReply } from '@docent/contract'
import { useList } from '../../api.ts'
import { useWorkspaceId } from '../bots/use-bot.ts'

/** All of the workspace, by shortcut. */
export function useCannedReplies() {
  const workspaceId = useWorkspaceId()
  const list = useList(
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

/** With its variables filled in. What is not known leaves no gap: "Hello {{visitor.name}}," becomes "Hello,". */
export function fillReply({ text }: CannedReply, { visitor, agent, bot }: ReplyNames): string {
  const values: Record<string, string> = { 'visitor.name': visitor ?? '', 'agent.name': agent, 'bot.name': bot }
  return text
    .replace(/( ?)\{\{\s*([a-z.]+)\s*\}\}/g, (whole, space: string, name: string) => {
      const value = values[name]
      return value === undefined ? whole : value && space + value
    })
    .trimStart()
}
