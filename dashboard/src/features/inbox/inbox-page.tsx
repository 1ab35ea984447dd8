import type { ConversationSummary } from '@docent/contract'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { setTitle } from '../../text/document-title.ts'
import { Empty } from '../../ui/empty.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { ConversationPane, conversationQuery } from '../conversation/conversation-pane.tsx'
import { useHandover } from '../conversation/use-handover.ts'
import { ConversationList } from './conversation-list.tsx'
import { type InboxFilter, useFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import type { ConnectionState } from './listen-to-events.ts'
import { NotifyButton } from './notify.tsx'
import { type ShortcutKey, Shortcuts } from './shortcuts.tsx'
import { useConversations } from './use-conversations.ts'
import { useLiveUpdates } from './use-live-updates.ts'

export function InboxPage() {
  const { inbox: words } = useMessages()
  const botId = useBotId()
  const { conversationId } = useParams({ strict: false }) as { conversationId?: string }
  const [filter, setFilter] = useFilter()
  const list = useConversations(botId, filter)
  const { line, typing } = useLiveUpdates(botId, list.refresh)
  const actions = useHandover(botId, () => void list.refresh())
  const field = useRef<HTMLTextAreaElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const onKey = useKeys({
    botId,
    conversationId,
    filter,
    items: list.items,
    actions,
    reply: () => field.current?.focus(),
  })
  useEffect(() => {
    setTitle(words.title)
    heading.current?.focus({ preventScroll: true })
  }, [words])
  return (
    <div className="inbox" data-step={conversationId ? 'conversation' : 'list'}>
      <h1 ref={heading} tabIndex={-1} className="unseen">
        {words.title}
      </h1>
      <section className="inbox-list" aria-label={words.list}>
        <div className="inbox-head">
          <h2>{words.title}</h2>
          <Line line={line} />
          <div className="inbox-tools">
            <NotifyButton />
            <Shortcuts onKey={onKey} />
          </div>
        </div>
        <Filters filter={filter} onChange={setFilter} />
        <ConversationList
          botId={botId}
          list={list}
          filter={filter}
          chosen={conversationId}
          empty={<Nothing botId={botId} filter={filter} />}
        />
      </section>
      <section className="inbox-pane" aria-label={words.conversation}>
        {conversationId ? (
          <ConversationPane
            key={conversationId}
            botId={botId}
            conversationId={conversationId}
            filter={filter}
            typing={typing}
            actions={actions}
            field={field}
            onRead={list.patch}
            onSent={() => void list.refresh()}
          />
        ) : (
          <div className="pane-rest">
            <Empty icon="inbox" title={words.chooseTitle} about={words.chooseAbout} />
          </div>
        )}
      </section>
    </div>
  )
}

interface KeysProps {
  botId: string
  conversationId: string | undefined
  filter: InboxFilter
  items: ConversationSummary[]
  actions: ReturnType<typeof useHandover>
  reply: () => void
}

function useKeys({ botId, conversationId, filter, items, actions, reply }: KeysProps) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  return (key: ShortcutKey) => {
    const at = items.findIndex(({ id }) => id === conversationId)
    // One that an address led to may be far down the list.
    const chosen = conversationId
      ? (items[at] ?? cache.getQueryData(conversationQuery(botId, conversationId).queryKey))
      : null
    if (key === 'j' || key === 'k') {
      const next = key === 'j' ? items[at + 1] : items[Math.max(at - 1, 0)]
      if (next) void navigate({ to: `/bots/${botId}/inbox/${next.id}`, search: filter as never })
    } else if (key === 'r') reply()
    else if (!chosen) return
    else if (key === 'a' && actions.of(chosen).mayAccept) actions.accept(chosen)
    else if (key === 'e' && actions.of(chosen).mayClose) actions.close(chosen)
  }
}

function Line({ line }: { line: ConnectionState }) {
  const { inbox: words } = useMessages()
  const said = { live: words.live, connecting: words.connecting, broken: words.polling }[line]
  return (
    <span className="line small quiet" data-state={line} role="status">
      <span className={line === 'broken' ? 'unseen' : ''}>{said}</span>
      {line === 'broken' && (
        <span aria-hidden="true" title={words.polling}>
          {words.connecting}
        </span>
      )}
    </span>
  )
}

function Nothing({ botId, filter }: { botId: string; filter: InboxFilter }) {
  const { inbox: words } = useMessages()
  const mayEdit = useMay('editor')
  if (filter.q || filter.channel || filter.visitor || filter.show === 'unanswered')
    return <Empty icon="search" title={words.nothing} about={words.nothingAbout} />
  if (filter.show === 'open') return <Empty icon="check" title={words.noneOpen} about={words.noneOpenAbout} />
  return (
    <Empty
      icon="inbox"
      title={words.emptyTitle}
      about={words.emptyAbout}
      action={
        mayEdit && (
          <Button variant="default" component={Link} to={`/bots/${botId}`}>
            {words.emptyAction}
          </Button>
        )
      }
    />
  )
}
