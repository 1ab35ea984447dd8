import type { Conversation } from '@docent/contract'
import { Button } from '@mantine/core'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import { useHasRole, useSession } from '../../session.ts'
import { formatDate } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AnswerForm } from '../knowledge/answer-form.tsx'
import { visitorLabel } from './conversation-status.tsx'
import { Message } from './message.tsx'
import { useConversationMessages } from './use-conversation-messages.ts'

const NEAR_PX = 120

/** Scrolls with new messages, unless the user has scrolled up. */
export function MessageLog({ botId, conversation, typing }: Props) {
  const words = useTexts()
  const { inbox } = words
  const { account } = useSession()
  const { messages, hasOlder, isLoading, loadOlder } = useConversationMessages(botId, conversation)
  const log = useRef<HTMLDivElement>(null)
  const isNearEnd = useRef(true)
  const before = useRef({ first: '', height: 0 })
  const first = messages[0]?.id ?? ''
  const last = messages.at(-1)
  useLayoutEffect(() => {
    const box = log.current
    if (!box) return
    const hasGrownAbove = before.current.first !== '' && before.current.first !== first
    if (hasGrownAbove) box.scrollTop += box.scrollHeight - before.current.height
    else if (isNearEnd.current || last?.role === 'agent') box.scrollTop = box.scrollHeight
    before.current = { first, height: box.scrollHeight }
  }, [first, last?.id, typing])
  const onScroll = () => {
    const box = log.current
    if (box) isNearEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
  }
  const lastOwn = messages.findLast(({ role }) => role === 'agent')
  const seenAt = conversation.seen.by_visitor
  const mayFix = useHasRole('editor')
  const [fixing, setFixing] = useState<{ question: string; answer: string } | null>(null)
  const fix = (at: number) => {
    const asked = messages.slice(0, at).findLast(({ role }) => role === 'visitor')
    setFixing({ question: asked?.text.slice(0, 500) ?? '', answer: messages[at]?.text ?? '' })
  }
  const names = { visitor: visitorLabel(conversation, words), bot: inbox.bot, agent: inbox.agent }
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
      {messages.map((message, at) => {
        const today = formatDate(message.created_at)
        const isNewDay = today !== day
        day = today
        const agent = message.agent_name === account.name ? inbox.you : message.agent_name
        const who = message.role === 'agent' && agent ? agent : names[message.role]
        return (
          <Fragment key={message.id}>
            {isNewDay && <p className="log-day small quiet">{today}</p>}
            <Message
              place={{ botId, conversationId: conversation.id }}
              message={message}
              who={who}
              isSeen={message === lastOwn && seenAt !== null && seenAt >= message.created_at}
              {...(mayFix && message.role === 'bot' ? { onFix: () => fix(at) } : {})}
            />
          </Fragment>
        )
      })}
      {typing && (
        <p className="small quiet log-typing">{typing === 'visitor' ? inbox.visitorTyping : inbox.agentTyping}</p>
      )}
      <AnswerForm botId={botId} opened={fixing !== null} onClose={() => setFixing(null)} start={fixing ?? {}} />
    </div>
  )
}

interface Props {
  botId: string
  conversation: Conversation
  typing: 'visitor' | 'agent' | null
}
