import type { Conversation, ConversationSummary } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { apiQuery, reloadQueries } from '../../api.ts'
import { client } from '../../client.ts'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { InboxFilter } from '../inbox/filter.ts'
import type { Typing } from '../inbox/live/use-live-updates.ts'
import { ConversationHead } from './conversation-head.tsx'
import type { OpenMenu } from './conversation-menus.tsx'
import { Details } from './details.tsx'
import { MessageLog } from './message-log.tsx'
import { ReplyForm } from './reply/reply-form.tsx'
import { Summary, useSummary } from './reply/summary.tsx'
import type { ConversationActions } from './use-conversation-actions.ts'

/** It counts unread mentions. */
const TEAM = 'GET /api/manage/v1/workspaces/{workspaceId}/inbox'

interface Props {
  botId: string
  conversationId: string
  back: string
  filter: InboxFilter
  typing: Typing | null
  actions: ConversationActions
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  field: RefObject<HTMLTextAreaElement | null>
  onRead: (conversation: ConversationSummary) => void
  onSent: () => void
}

export function conversationQuery(botId: string, conversationId: string) {
  return apiQuery('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
    params: { botId, conversationId },
  })
}

/** Keyed by id, so that no state of another conversation remains. */
export function ConversationPane(props: Props) {
  const { botId, conversationId, onRead } = props
  const query = useQuery(conversationQuery(botId, conversationId))
  const conversation = query.data
  useMarkRead(conversation, (latest) => onRead(toSummary(latest)))
  useEffect(() => {
    if (conversation) onRead(toSummary(conversation))
  }, [conversation])
  if (!conversation)
    return (
      <div className="pane-rest">
        {query.error ? <LoadError error={query.error} onRetry={() => query.refetch()} /> : <LoadingRows count={3} />}
      </div>
    )
  return <LoadedConversation {...props} conversation={conversation} />
}

function LoadedConversation({
  botId,
  back,
  filter,
  typing,
  actions,
  menu,
  onMenu,
  field,
  onSent,
  conversation,
}: Props & { conversation: Conversation }) {
  const { inbox: texts } = useTexts()
  const isWide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false })
  const [isOpen, { open, close }] = useDisclosure()
  const mayReply = useHasRole('agent')
  const ownTypingAt = useRef(0)
  const typingBy = typing?.conversationId === conversation.id ? typing.by : null
  // The server also reports the user's own typing as that of an agent.
  const isOwn = typingBy === 'agent' && Date.now() - ownTypingAt.current < 8000
  const summary = useSummary(conversation)
  const details = <Details botId={botId} conversation={conversation} />
  return (
    <>
      <div className="pane-main">
        <ConversationHead
          back={back}
          filter={filter}
          conversation={conversation}
          actions={actions}
          menu={menu}
          onMenu={onMenu}
          onDetails={isWide ? null : open}
        />
        <HandoverRequest conversation={conversation} />
        <Summary summary={summary} />
        <MessageLog botId={botId} conversation={conversation} typing={isOwn ? null : typingBy} />
        {conversation.channel === 'api' ? (
          <p className="reply small quiet">{texts.apiOnly}</p>
        ) : mayReply ? (
          <ReplyForm
            botId={botId}
            conversation={conversation}
            field={field}
            onTyping={() => {
              ownTypingAt.current = Date.now()
            }}
            onSummary={summary.summarise}
            onSent={onSent}
          />
        ) : (
          <p className="reply small quiet">{texts.readOnly}</p>
        )}
      </div>
      {isWide ? (
        <aside className="pane-side" aria-label={texts.details}>
          {details}
        </aside>
      ) : (
        <Modal opened={isOpen} onClose={close} title={texts.details}>
          {details}
        </Modal>
      )}
    </>
  )
}

function HandoverRequest({ conversation: { handover } }: { conversation: Conversation }) {
  const { inbox: texts } = useTexts()
  if (handover.status !== 'requested' || !handover.reason) return null
  return (
    <div className="pane-asked">
      <Notice tone="warn">
        {texts.handoverReasons[handover.reason]}{' '}
        {handover.requested_at && <Time time={handover.requested_at} text={texts.requestedAt} />}
      </Notice>
    </div>
  )
}

/** Without the fields that the list does not have. */
function toSummary({
  metadata: _metadata,
  messages: _messages,
  has_more: _more,
  notes: _notes,
  changes: _changes,
  ...summary
}: Conversation) {
  return summary
}

/** Marks the messages and mentions on the screen as read, once per message or note and only while the tab is visible. */
function useMarkRead(conversation: Conversation | undefined, onRead: (conversation: Conversation) => void) {
  const last = conversation?.messages.at(-1)
  const lastNote = conversation?.notes.at(-1)
  useEffect(() => {
    if (!conversation) return
    const markRead = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', markRead)
      if (conversation.status !== 'open' && conversation.mention !== 'unread') return
      const params = { botId: conversation.bot_id, conversationId: conversation.id }
      client
        .request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/read', { params, body: {} })
        .then(() => {
          onRead({ ...conversation, unread: false, mention: conversation.mention && 'read' })
          if (conversation.mention === 'unread') void reloadQueries(({ queryKey: [route] }) => route === TEAM)
        })
        .catch(() => {
          // Stays unread until the next message.
        })
    }
    document.addEventListener('visibilitychange', markRead)
    markRead()
    return () => document.removeEventListener('visibilitychange', markRead)
  }, [conversation?.id, last?.id, lastNote?.id, conversation?.status, conversation?.mention])
}
