import type { Conversation, ConversationSummary } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useHasRole } from '../../session.ts'
import { setTitle } from '../../text/document-title.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useSelection } from '../../ui/lists/use-selection.ts'
import type { OpenMenu } from '../conversation/conversation-menus.tsx'
import { ConversationPane, conversationQuery } from '../conversation/conversation-pane.tsx'
import { type ConversationActions, useConversationActions } from '../conversation/use-conversation-actions.ts'
import { ConversationList } from './conversation-list.tsx'
import { type InboxFilter, useInboxFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { NotifyButton, SoundButton } from './live/alerts.tsx'
import type { ConnectionState } from './live/listen-to-events.ts'
import { useLiveUpdates } from './live/use-live-updates.ts'
import { type ShortcutKey, Shortcuts } from './shortcuts.tsx'
import { useConversations } from './use-conversations.ts'
import { conversationPath, useInboxScope } from './use-inbox-scope.ts'

const idOf = ({ id }: ConversationSummary) => id

export function InboxPage() {
  const { inbox: texts } = useTexts()
  const { workspaceId, chosen } = useInboxScope()
  const [filter, setFilter] = useInboxFilter()
  const navigate = useNavigate()
  const list = useConversations(workspaceId, filter)
  const { connection, typing } = useLiveUpdates(workspaceId, list.refresh)
  const actions = useConversationActions(() => void list.refresh())
  const [menu, setMenu] = useState<OpenMenu>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const selection = useSelection(list.items, idOf, list.key)
  const onKey = useInboxKeys({
    chosen,
    filter,
    items: list.items,
    actions,
    field,
    search,
    onMenu: setMenu,
    onSelect: (conversation) => selection.toggle(conversation),
  })
  const onDone = (deletedItems: ConversationSummary[]) => {
    void list.reload()
    if (deletedItems.some(({ id }) => id === chosen?.id))
      void navigate({ to: screenPath('inbox', {}), search: filter as never })
  }
  useEffect(() => {
    setTitle(texts.title)
    heading.current?.focus({ preventScroll: true })
  }, [texts.title])
  useEffect(() => setMenu(null), [chosen?.id])
  return (
    <div className="inbox" data-step={chosen ? 'conversation' : 'list'}>
      <h1 ref={heading} tabIndex={-1} className="unseen">
        {texts.title}
      </h1>
      <section className="inbox-list" aria-label={texts.list}>
        <div className="inbox-head">
          <h2>{texts.title}</h2>
          <ConnectionStatus connection={connection} />
          <div className="inbox-tools">
            <SoundButton />
            <NotifyButton />
            <Shortcuts onKey={onKey} />
          </div>
        </div>
        <Filters filter={filter} onChange={setFilter} search={search} />
        <ConversationList
          list={list}
          filter={filter}
          chosen={chosen?.id}
          selection={selection}
          onDone={onDone}
          empty={<EmptyInbox filter={filter} />}
        />
      </section>
      <section className="inbox-pane" aria-label={texts.conversation}>
        {chosen ? (
          <ConversationPane
            key={chosen.id}
            botId={chosen.bot_id}
            conversationId={chosen.id}
            back={screenPath('inbox', {})}
            filter={filter}
            typing={typing}
            actions={actions}
            field={field}
            menu={menu}
            onMenu={setMenu}
            onRead={list.patch}
            onSent={() => void list.refresh()}
          />
        ) : (
          <div className="pane-rest">
            <EmptyState icon="inbox" title={texts.chooseTitle} about={texts.chooseAbout} />
          </div>
        )}
      </section>
    </div>
  )
}

function ConnectionStatus({ connection }: { connection: ConnectionState }) {
  const { inbox: texts } = useTexts()
  const label = { live: texts.live, connecting: texts.connecting, broken: texts.polling }[connection]
  return (
    <span className="line small quiet" data-state={connection} role="status">
      <span className={connection === 'broken' ? 'unseen' : ''}>{label}</span>
      {connection === 'broken' && (
        <span aria-hidden="true" title={texts.polling}>
          {texts.connecting}
        </span>
      )}
    </span>
  )
}

function EmptyInbox({ filter }: { filter: InboxFilter }) {
  const { inbox: texts } = useTexts()
  const mayEdit = useHasRole('editor')
  const { show, bot, ...narrow } = filter
  if (Object.keys(narrow).length > 0 || (show && show !== 'open'))
    return <EmptyState icon="search" title={texts.nothing} about={texts.nothingAbout} />
  if (show === 'open') return <EmptyState icon="check" title={texts.noneOpen} about={texts.noneOpenAbout} />
  return (
    <EmptyState
      icon="inbox"
      title={texts.emptyTitle}
      about={texts.emptyAbout}
      action={
        mayEdit &&
        bot && (
          <Button variant="default" component={Link} to={screenPath('bot', { botId: bot })}>
            {texts.emptyAction}
          </Button>
        )
      }
    />
  )
}

interface KeysProps {
  chosen: { id: string; bot_id: string } | null
  filter: InboxFilter
  items: ConversationSummary[]
  actions: ConversationActions
  field: RefObject<HTMLTextAreaElement | null>
  search: RefObject<HTMLInputElement | null>
  onMenu: (menu: OpenMenu) => void
  onSelect: (conversation: ConversationSummary) => void
}

/** Keyboard shortcuts of the inbox. */
function useInboxKeys({ chosen, filter, items, actions, field, search, onMenu, onSelect }: KeysProps) {
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
