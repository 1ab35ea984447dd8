// Keyboard shortcuts of the inbox.
import type { Conversation, ConversationSummary } from '@docent/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { OpenMenu } from '../conversation/conversation-menus.tsx'
import { conversationQuery } from '../conversation/conversation-pane.tsx'
import type { ConversationActions } from '../conversation/use-conversation-actions.ts'
import type { InboxFilter } from './filter.ts'
import type { ShortcutKey } from './shortcuts.tsx'
import { conversationPath } from './use-inbox-scope.ts'

interface Props {
  chosen: { id: string; bot_id: string } | null
  filter: InboxFilter
  items: ConversationSummary[]
  actions: ConversationActions
  field: RefObject<HTMLTextAreaElement | null>
  search: RefObject<HTMLInputElement | null>
  onMenu: (menu: OpenMenu) => void
  onSelect: (conversation: ConversationSummary) => void
}

export function useInboxKeys({ chosen, filter, items, actions, field, search, onMenu, onSelect }: Props) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return (key: ShortcutKey) => {
    const at = items.findIndex(({ id }) => id === chosen?.id)
    if (key === 'j' || key === 'k') {
      const next = key === 'j' ? items[at + 1] : items[Math.max(at - 1, 0)]
      if (next) void navigate({ to: conversationPath(next), search: filter as never })
      return
    }
    if (key === '/') return search.current?.focus()
    if (key === 'r') return field.current?.focus()
    if (key === 'enter') return document.querySelector<HTMLElement>('.inbox .log')?.focus()
    // A conversation opened by link may not be in the loaded list. The one on the screen is the newest.
    const conversation: ConversationSummary | null | undefined =
      chosen && (cache.getQueryData<Conversation>(conversationQuery(chosen.bot_id, chosen.id).queryKey) ?? items[at])
    if (!conversation) return
    if (key === 'x') return items[at] && onSelect(items[at])
    const { mayAct, mayAccept, mayClose } = actions.permissions(conversation)
    if (key === 'o' && mayAccept) actions.accept(conversation)
    if (key === 'b' && mayClose) actions.close(conversation)
    if (!mayAct) return
    if (key === 'e') actions.resolve(conversation)
    if (key === 'a') onMenu('assign')
    if (key === 's') onMenu('snooze')
    if (key === 't') onMenu('tag')
  }
}
