import type { Conversation, ConversationMessage } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatDate } from '../../text/format.ts'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useHasModel } from '../inbox/use-team.ts'
import { AnswerForm } from '../knowledge/answer-form.tsx'
import { answerToFix } from './answer-to-fix.ts'
import { visitorLabel } from './conversation-status.tsx'
import { thread } from './conversation-texts.ts'
import { Message } from './message.tsx'
import { ChangeLine, entriesOf, NoteLine } from './thread-entries.tsx'

const PAGE_SIZE = 100
const NEAR_PX = 120

/** Scrolls with new messages, unless the user has scrolled up. */
export function MessageLog({ botId, conversation, typing }: Props) {
  const texts = useTexts()
  const { inbox } = texts
  const { account } = useSession()
  const { messages, hasOlder, isLoading, loadOlder } = useConversationMessages(botId, conversation)
  const log = useRef<HTMLDivElement>(null)
  const isNearEnd = useRef(true)
  const before = useRef({ first: '', height: 0 })
  const first = messages[0]?.id ?? ''
  const last = messages.at(-1)
  const others = conversation.changes.length + conversation.notes.length
  useLayoutEffect(() => {
    const box = log.current
    if (!box) return
    const hasGrownAbove = before.current.first !== '' && before.current.first !== first
    if (hasGrownAbove) box.scrollTop += box.scrollHeight - before.current.height
    else if (isNearEnd.current || last?.role === 'agent') box.scrollTop = box.scrollHeight
    before.current = { first, height: box.scrollHeight }
  }, [first, last?.id, typing, others])
  const onScroll = () => {
    const box = log.current
    if (box) isNearEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
  }
  const lastOwn = messages.findLast(({ role }) => role === 'agent')
  const seenAt = conversation.seen.by_visitor
  const mayFix = useHasRole('editor')
  const hasModel = useHasModel(botId)
  const mayReply = useHasRole('agent')
  const isForeign = conversation.language !== null && conversation.language !== currentLanguage()
  const canTranslate = hasModel && mayReply && isForeign
  const [fixing, setFixing] = useState<Fixing | null>(null)
  const askedBefore = (at: number) =>
    messages
      .slice(0, at)
      .findLast(({ role }) => role === 'visitor')
      ?.text.slice(0, 500) ?? ''
  const fix = (message: ConversationMessage, at: number) =>
    setFixing({
      start: { question: askedBefore(at), answer: answerToFix(message) },
      citations: message.citations ?? [],
    })
  const names = { visitor: visitorLabel(conversation, texts), bot: inbox.bot, agent: inbox.agent }
  let day = ''
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <div ref={log} className="log" role="log" aria-label={inbox.messages} tabIndex={0} onScroll={onScroll}>
      {hasOlder && (
        <div className="log-older">
          <Button variant="default" size="compact-sm" loading={isLoading} onClick={() => void loadOlder()}>
            {inbox.older}
          </Button>
        </div>
      )}
      {entriesOf(messages, conversation, hasOlder).map((entry) => {
        const today = formatDate(entry.created_at)
        const isNewDay = today !== day
        day = today
        const dayLine = isNewDay && <p className="log-day small quiet">{today}</p>
        if ('change' in entry)
          return (
            <Fragment key={entry.change.id}>
              {dayLine}
              <ChangeLine change={entry.change} ownName={account.name} />
            </Fragment>
          )
        if ('note' in entry)
          return (
            <Fragment key={entry.note.id}>
              {dayLine}
              <NoteLine note={entry.note} />
            </Fragment>
          )
        const { message, at } = entry
        const agent = message.agent_name === account.name ? inbox.you : message.agent_name
        const who = message.role === 'agent' && agent ? agent : names[message.role]
        return (
          <Fragment key={message.id}>
            {dayLine}
            <Message
              place={{ botId, conversationId: conversation.id }}
              message={message}
              who={who}
              isSeen={message === lastOwn && seenAt !== null && seenAt >= message.created_at}
              mayPropose={mayReply && message.role === 'agent'}
              canTranslate={canTranslate && message.role === 'visitor'}
              {...(mayFix && isAnswer(message) ? { onFix: () => fix(message, at), testQuestion: askedBefore(at) } : {})}
            />
          </Fragment>
        )
      })}
      {typing && (
        <p className="small quiet log-typing">{typing === 'visitor' ? inbox.visitorTyping : inbox.agentTyping}</p>
      )}
      <AnswerForm
        botId={botId}
        opened={fixing !== null}
        onClose={() => setFixing(null)}
        title={texts.team.fix}
        start={fixing?.start ?? {}}
        about={fixing && <Cited botId={botId} citations={fixing.citations} />}
      />
    </div>
  )
}

interface Fixing {
  start: { question: string; answer: string }
  citations: NonNullable<ConversationMessage['citations']>
}

/** Leads to the passages that an answer came from, opened for a correction. */
function Cited({ botId, citations }: { botId: string } & Pick<Fixing, 'citations'>) {
  if (citations.length === 0) return null
  return (
    <Notice>
      <p>{thread.fixAbout}</p>
      <ul className="plain-list">
        {citations.map(({ document_id, passage_id, title }) => (
          <li key={document_id + passage_id}>
            <Link
              to={screenPath('document', { botId, documentId: document_id })}
              search={{ correct: true } as never}
              hash={passage_id}
            >
              {thread.correctPassage(title)}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Small talk, handover and action messages are not made from the content, so there is nothing to correct. */
function isAnswer({ role, answered, decision }: ConversationMessage): boolean {
  return role === 'bot' && answered !== null && !NOT_ANSWERS.has(decision ?? '')
}

const NOT_ANSWERS: ReadonlySet<string> = new Set(['small_talk', 'person', 'action'])

interface Props {
  botId: string
  conversation: Conversation
  typing: 'visitor' | 'agent' | null
}

/** All messages of a conversation loaded so far: the newest ones, and older ones on demand. */
function useConversationMessages(botId: string, conversation: Conversation) {
  const texts = useTexts()
  // Keep messages once loaded: those beyond the newest 200 must stay on the screen.
  const [messagesById] = useState(() => new Map<string, ConversationMessage>())
  const [hasOlder, setHasOlder] = useState<boolean | null>(null)
  const [isLoading, setLoading] = useState(false)
  for (const message of conversation.messages) messagesById.set(message.id, message)
  const messages = [...messagesById.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  const loadOlder = async () => {
    setLoading(true)
    try {
      const { messages: older, has_more } = await client.request(
        'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages',
        {
          params: { botId, conversationId: conversation.id },
          query: { limit: PAGE_SIZE, ...(messages[0] ? { before: messages[0].id } : {}) },
        },
      )
      for (const message of older) messagesById.set(message.id, message)
      setHasOlder(has_more)
    } catch (error) {
      toast(explainError(error, texts), 'bad')
    } finally {
      setLoading(false)
    }
  }
  return { messages, hasOlder: hasOlder ?? conversation.has_more, isLoading, loadOlder }
}
