// Who waits for a person: counted in the navigation and the tab's title, and told by the browser to who wants that.
import type { ConversationSummary } from '@docent/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { readQuery } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { setTitleCount } from '../../text/document-title.ts'
import { useBot, useBotId } from '../bots/use-bot.ts'
import { notify } from './notify.tsx'
import { isUnread, useSeen } from './seen.ts'

// Between live events, and on the screens that have no live line.
const LOOK_AGAIN_MS = 15_000
const MOST_COUNTED = 99

function useOpen(botId: string) {
  return useQuery({
    ...readQuery('GET /api/manage/v1/bots/{botId}/conversations', {
      params: { botId },
      query: { handover: 'open', limit: MOST_COUNTED + 1 },
    }),
    enabled: botId !== '',
    refetchInterval: LOOK_AGAIN_MS,
    refetchIntervalInBackground: true,
  })
}

/** Who asked for a person, and who wrote to one without having been read. */
function useWaiting(botId: string): ConversationSummary[] {
  const seen = useSeen()
  const { data } = useOpen(botId)
  return (data?.items ?? []).filter((each) => each.handover.status === 'requested' || isUnread(each, seen))
}

export function WaitingBadge({ botId }: { botId: string }) {
  const { inbox: words } = useMessages()
  const { length } = useWaiting(botId)
  if (length === 0) return null
  const shown = length > MOST_COUNTED ? `${MOST_COUNTED}+` : String(length)
  return (
    <span className="nav-badge">
      <span aria-hidden="true">{shown}</span>
      <span className="unseen">{words.waitingBadge(shown)}</span>
    </span>
  )
}

export function WatchWaiting() {
  const { inbox: words } = useMessages()
  const botId = useBotId()
  const { conversationId } = useParams({ strict: false }) as { conversationId?: string }
  const { data: bot } = useBot()
  const { data } = useOpen(botId)
  const waiting = useWaiting(botId)
  const navigate = useNavigate()
  const known = useRef<{ botId: string; asked: Set<string> } | null>(null)

  useEffect(() => {
    setTitleCount(waiting.length)
    return () => setTitleCount(0)
  }, [waiting.length])

  useEffect(() => {
    if (!data) return
    const asking = data.items.filter(({ handover }) => handover.status === 'requested')
    const before = known.current?.botId === botId ? known.current.asked : null
    known.current = { botId, asked: new Set(asking.map(requestOf)) }
    // Those who waited when the page was opened are no news.
    if (!before) return
    for (const each of asking) {
      const isOnScreen = each.id === conversationId && !document.hidden
      if (before.has(requestOf(each)) || isOnScreen) continue
      const who = each.visitor?.name ?? each.visitor?.email ?? words.anonymous
      const text = each.last_message ? `${who}: ${each.last_message.text.slice(0, 140)}` : who
      notify(words.notifyTitle(bot?.name ?? words.title), text, each.id, () =>
        navigate({ to: `/bots/${botId}/inbox/${each.id}` }),
      )
    }
  }, [data])
  return null
}

/** Who asks a second time is news again. */
function requestOf({ id, handover }: ConversationSummary): string {
  return `${id} ${handover.requested_at}`
}
