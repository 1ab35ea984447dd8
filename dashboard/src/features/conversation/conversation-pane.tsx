import type { Conversation, ConversationSummary } from '@docent/contract'
import { ActionIcon, Button, Modal } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { readQuery } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { InboxFilter } from '../inbox/filter.ts'
import { markSeen } from '../inbox/seen.ts'
import type { Typing } from '../inbox/use-live-updates.ts'
import { ConversationStatus, whoOf } from './conversation-status.tsx'
import { Details } from './details.tsx'
import { MessageLog } from './message-log.tsx'
import { ReplyForm } from './reply-form.tsx'
import type { HandoverActions } from './use-handover.ts'

interface Props {
  botId: string
  conversationId: string
  filter: InboxFilter
  typing: Typing | null
  actions: HandoverActions
  field: RefObject<HTMLTextAreaElement | null>
  onRead: (conversation: ConversationSummary) => void
  onSent: () => void
}

export function conversationQuery(botId: string, conversationId: string) {
  return readQuery('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
    params: { botId, conversationId },
  })
}

/** One conversation. Keyed by its id, so that nothing of another stays. */
export function ConversationPane(given: Props) {
  const { botId, conversationId, onRead } = given
  const read = useQuery(conversationQuery(botId, conversationId))
  const conversation = read.data
  useEffect(() => {
    if (!conversation) return
    const see = () => !document.hidden && markSeen(conversation)
    see()
    onRead(summaryOf(conversation))
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [conversation])
  if (!conversation)
    return (
      <div className="pane-rest">
        {read.error ? <Failed error={read.error} onRetry={() => read.refetch()} /> : <LoadingRows count={3} />}
      </div>
    )
  return <Loaded {...given} conversation={conversation} />
}

function Loaded({
  botId,
  filter,
  typing,
  actions,
  field,
  onSent,
  conversation,
}: Props & { conversation: Conversation }) {
  const { inbox: words } = useMessages()
  const isWide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false })
  const [opened, { open, close }] = useDisclosure()
  const mayReply = useMay('agent')
  const ownTypingAt = useRef(0)
  const heard = typing?.conversationId === conversation.id ? typing.by : null
  // One's own typing comes back as that of any agent.
  const isOwn = heard === 'agent' && Date.now() - ownTypingAt.current < 8000
  const details = <Details botId={botId} conversation={conversation} />
  return (
    <>
      <div className="pane-main">
        <Head
          botId={botId}
          filter={filter}
          conversation={conversation}
          actions={actions}
          onDetails={isWide ? null : open}
        />
        <Asked conversation={conversation} />
        <MessageLog botId={botId} conversation={conversation} typing={isOwn ? null : heard} />
        {conversation.channel === 'api' ? (
          <p className="reply small quiet">{words.apiOnly}</p>
        ) : mayReply ? (
          <ReplyForm
            botId={botId}
            conversation={conversation}
            field={field}
            onTyping={() => {
              ownTypingAt.current = Date.now()
            }}
            onSent={onSent}
          />
        ) : (
          <p className="reply small quiet">{words.readOnly}</p>
        )}
      </div>
      {isWide ? (
        <aside className="pane-side" aria-label={words.details}>
          {details}
        </aside>
      ) : (
        <Modal opened={opened} onClose={close} title={words.details}>
          {details}
        </Modal>
      )}
    </>
  )
}

interface HeadProps {
  botId: string
  filter: InboxFilter
  conversation: Conversation
  actions: HandoverActions
  /** Null where the details are beside the messages. */
  onDetails: (() => void) | null
}

function Head({ botId, filter, conversation, actions, onDetails }: HeadProps) {
  const messages = useMessages()
  const { inbox: words } = messages
  const heading = useRef<HTMLHeadingElement>(null)
  const { mayAccept, mayClose, acceptLabel } = actions.of(conversation)
  useEffect(() => {
    // On a phone the list is gone, and the focus with it.
    if (window.matchMedia('(max-width: 55em)').matches) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className="pane-head">
      <Link to={`/bots/${botId}/inbox`} search={filter as never} className="pane-back" aria-label={words.back}>
        <Icon name="left" />
      </Link>
      <div className="pane-who">
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {whoOf(conversation, messages)}
        </h2>
        <ConversationStatus conversation={conversation} />
      </div>
      <div className="pane-actions">
        {mayAccept && (
          <Button
            size="compact-sm"
            variant={conversation.handover.status === 'requested' ? 'filled' : 'default'}
            loading={actions.isPending}
            onClick={() => actions.accept(conversation)}
          >
            {acceptLabel}
          </Button>
        )}
        {mayClose && (
          <Button
            size="compact-sm"
            variant="default"
            loading={actions.isPending}
            onClick={() => actions.close(conversation)}
          >
            {words.handBack}
          </Button>
        )}
      </div>
      {onDetails && (
        <ActionIcon
          className="pane-info"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={words.details}
          onClick={onDetails}
        >
          <Icon name="info" />
        </ActionIcon>
      )}
    </header>
  )
}

function Asked({ conversation: { handover } }: { conversation: Conversation }) {
  const { inbox: words } = useMessages()
  if (handover.status !== 'requested' || !handover.reason) return null
  return (
    <div className="pane-asked">
      <Notice tone="warn">
        {words.handoverReasons[handover.reason]}{' '}
        {handover.requested_at && <Time time={handover.requested_at} text={words.requestedAt} />}
      </Notice>
    </div>
  )
}

/** As the list has it. */
function summaryOf({
  metadata: _metadata,
  messages: _messages,
  has_more: _more,
  notes: _notes,
  ...summary
}: Conversation) {
  return summary
}
