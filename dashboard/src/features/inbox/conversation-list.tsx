import type { ConversationSummary } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { Time } from '../../text/time.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { ConversationStatus, whoOf } from '../conversation/conversation-status.tsx'
import type { InboxFilter } from './filter.ts'
import { isUnread, useSeen } from './seen.ts'
import type { useConversations } from './use-conversations.ts'

interface Props {
  botId: string
  list: ReturnType<typeof useConversations>
  filter: InboxFilter
  chosen: string | undefined
  empty: ReactNode
}

export function ConversationList({ botId, list, filter, chosen, empty }: Props) {
  const { inbox: words, general } = useMessages()
  const rows = useRef<HTMLUListElement>(null)
  useEffect(() => {
    rows.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  if (list.isPending) return <LoadingRows count={6} />
  if (list.error && list.items.length === 0) return <Failed error={list.error} onRetry={() => list.refetch()} />
  if (list.items.length === 0) return empty
  const more = async () => {
    await list.fetchNextPage()
    // What changed above while the page was on its way.
    await list.refresh()
  }
  return (
    <>
      <ul ref={rows} className="threads" aria-label={words.list}>
        {list.items.map((each) => (
          <Thread key={each.id} botId={botId} conversation={each} filter={filter} isChosen={each.id === chosen} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void more()}>
          {general.more}
        </Button>
      )}
    </>
  )
}

interface ThreadProps {
  botId: string
  conversation: ConversationSummary
  filter: InboxFilter
  isChosen: boolean
}

function Thread({ botId, conversation, filter, isChosen }: ThreadProps) {
  const messages = useMessages()
  const { inbox: words } = messages
  const unread = isUnread(conversation, useSeen())
  const last = conversation.last_message
  return (
    <li>
      <Link
        to={`/bots/${botId}/inbox/${conversation.id}`}
        search={filter as never}
        className="thread"
        preload={false}
        aria-current={isChosen ? 'true' : undefined}
        data-unread={unread || undefined}
      >
        <span className="thread-head">
          <strong className="thread-name" dir="auto">
            {whoOf(conversation, messages)}
          </strong>
          {unread && <span className="thread-new">{words.unread}</span>}
          <span className="small quiet">
            <Time time={conversation.updated_at} />
          </span>
        </span>
        {last && (
          <span className="thread-text" dir="auto">
            {words.lastBy[last.role]}
            {last.text}
          </span>
        )}
        <span className="inline">
          <ConversationStatus conversation={conversation} />
          {conversation.channel === 'api' && <span className="small quiet">{words.channels.api}</span>}
        </span>
      </Link>
    </li>
  )
}
