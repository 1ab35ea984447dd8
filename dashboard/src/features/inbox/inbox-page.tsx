import type { ConversationSummary } from '@docent/contract'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useHasRole } from '../../session.ts'
import { setTitle } from '../../text/document-title.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useSelection } from '../../ui/lists/use-selection.ts'
import type { OpenMenu } from '../conversation/conversation-menus.tsx'
import { ConversationPane } from '../conversation/conversation-pane.tsx'
import { useConversationActions } from '../conversation/use-conversation-actions.ts'
import { ConversationList } from './conversation-list.tsx'
import { type InboxFilter, useInboxFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import type { ConnectionState } from './live/listen-to-events.ts'
import { NotifyButton } from './live/notify.tsx'
import { SoundButton } from './live/sound.tsx'
import { useLiveUpdates } from './live/use-live-updates.ts'
import { Shortcuts } from './shortcuts.tsx'
import { useConversations } from './use-conversations.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useInboxScope } from './use-inbox-scope.ts'

const idOf = ({ id }: ConversationSummary) => id

export function InboxPage() {
  const { inbox: words, team } = useTexts()
  const { scope, chosen } = useInboxScope()
  const [filter, setFilter] = useInboxFilter()
  const navigate = useNavigate()
  const list = useConversations(scope, filter)
  const { connection, typing } = useLiveUpdates(scope.workspaceId, list.refresh)
  const actions = useConversationActions(() => void list.refresh())
  const [menu, setMenu] = useState<OpenMenu>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const title = scope.botId ? words.title : team.title
  const selection = useSelection(list.items, idOf, list.key)
  const onKey = useInboxKeys({
    scope,
    chosen,
    filter,
    items: list.items,
    actions,
    field,
    search,
    onMenu: setMenu,
    onSelect: (conversation) => selection.toggle(conversation),
  })
  const onDone = (deleted: ConversationSummary[]) => {
    void list.reload()
    if (deleted.some(({ id }) => id === chosen?.id)) void navigate({ to: scope.root, search: filter as never })
  }
  useEffect(() => {
    setTitle(title)
    heading.current?.focus({ preventScroll: true })
  }, [title])
  useEffect(() => setMenu(null), [chosen?.id])
  return (
    <div className="inbox" data-step={chosen ? 'conversation' : 'list'}>
      <h1 ref={heading} tabIndex={-1} className="unseen">
        {title}
      </h1>
      <section className="inbox-list" aria-label={words.list}>
        <div className="inbox-head">
          <h2>{words.title}</h2>
          <ConnectionStatus connection={connection} />
          <div className="inbox-tools">
            <SoundButton />
            <NotifyButton />
            <Shortcuts onKey={onKey} />
          </div>
        </div>
        <Filters filter={filter} onChange={setFilter} ofOneBot={scope.botId !== null} search={search} />
        <ConversationList
          scope={scope}
          list={list}
          filter={filter}
          chosen={chosen?.id}
          selection={selection}
          onDone={onDone}
          empty={<EmptyInbox botId={scope.botId} filter={filter} />}
        />
      </section>
      <section className="inbox-pane" aria-label={words.conversation}>
        {chosen ? (
          <ConversationPane
            key={chosen.id}
            botId={chosen.bot_id}
            conversationId={chosen.id}
            back={scope.root}
            {...{ filter, typing, actions, field, menu }}
            onMenu={setMenu}
            onRead={list.patch}
            onSent={() => void list.refresh()}
          />
        ) : (
          <div className="pane-rest">
            <EmptyState icon="inbox" title={words.chooseTitle} about={words.chooseAbout} />
          </div>
        )}
      </section>
    </div>
  )
}

function ConnectionStatus({ connection }: { connection: ConnectionState }) {
  const { inbox: words } = useTexts()
  const label = { live: words.live, connecting: words.connecting, broken: words.polling }[connection]
  return (
    <span className="line small quiet" data-state={connection} role="status">
      <span className={connection === 'broken' ? 'unseen' : ''}>{label}</span>
      {connection === 'broken' && (
        <span aria-hidden="true" title={words.polling}>
          {words.connecting}
        </span>
      )}
    </span>
  )
}

function EmptyInbox({ botId, filter }: { botId: string | null; filter: InboxFilter }) {
  const { inbox: words } = useTexts()
  const mayEdit = useHasRole('editor')
  const { show, ...narrow } = filter
  if (Object.keys(narrow).length > 0 || (show && show !== 'open'))
    return <EmptyState icon="search" title={words.nothing} about={words.nothingAbout} />
  if (show === 'open') return <EmptyState icon="check" title={words.noneOpen} about={words.noneOpenAbout} />
  return (
    <EmptyState
      icon="inbox"
      title={words.emptyTitle}
      about={words.emptyAbout}
      action={
        mayEdit &&
        botId && (
          <Button variant="default" component={Link} to={`/bots/${botId}`}>
            {words.emptyAction}
          </Button>
        )
      }
    />
  )
}
