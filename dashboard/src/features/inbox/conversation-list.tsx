import type { ConversationSummary } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { Time } from '../../text/time.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { ConversationStatus, whoOf } from '../conversation/conversation-status.tsx'
import type { InboxFilter } from './filter.ts'
import type { useConversations } from './use-conversations.ts'
import type { InboxScope } from './use-inbox-scope.ts'
import { useBotNames } from './use-team.ts'

interface Props {
  scope: InboxScope
  list: ReturnType<typeof useConversations>
  filter: InboxFilter
  chosen: string | undefined
  empty: ReactNode
}

export function ConversationList({ scope, list, filter, chosen, empty }: Props) {
  const { inbox: words, general } = useMessages()
  const botNames = useBotNames()
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
          <Thread
            key={each.id}
            path={scope.pathOf(each)}
            botName={scope.botId ? null : (botNames.get(each.bot_id) ?? null)}
            conversation={each}
            filter={filter}
            isChosen={each.id === chosen}
          />
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
  path: string
  /** Null where all are of the same. */
  botName: string | null
  conversation: ConversationSummary
  filter: InboxFilter
  isChosen: boolean
}

function Thread({ path, botName, conversation, filter, isChosen }: ThreadProps) {
  const messages = useMessages()
  const { inbox: words, team } = messages
  const { unread, last_visitor_message: asked, last_message: last, assignee, tags } = conversation
  return (
    <li>
      <Link
        to={path}
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
        <span className="thread-text" dir="auto">
          {asked ? asked.text : last && `${words.lastBy[last.role]}${last.text}`}
        </span>
        <span className="inline thread-foot">
          <ConversationStatus conversation={conversation} />
          {botName && <span className="small quiet thread-bot">{botName}</span>}
          {conversation.channel === 'api' && <span className="small quiet">{words.channels.api}</span>}
          {tags.map((tag) => (
            <span key={tag} className="tag small">
              {tag}
            </span>
          ))}
          {assignee && (
            <span className="thread-assignee" title={team.assignedTo(assignee.name)}>
              <Avatar name={assignee.name} id={assignee.id} small />
              <span className="unseen">{team.assignedTo(assignee.name)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
