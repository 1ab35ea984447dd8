import type { Conversation, ReplySuggestions } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { apiQuery } from '../../../api.ts'
import { formatPercent } from '../../../text/format.ts'
import { WebLink } from '../../../text/plain-text.tsx'
import { Time } from '../../../text/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { fillReply, type ReplyNames } from '../../canned-replies/use-canned-replies.ts'
import { areShortcutsOn, isTyping } from '../../inbox/shortcuts.tsx'
import { replyHelp as texts } from '../conversation-texts.ts'

const MAX_SHOWN = 5
const STALE_MS = 300_000
const STORAGE_KEY = 'docent-suggestions'

interface Props {
  botId: string
  conversation: Conversation
  names: ReplyNames
  onInsert: (text: string) => void
}

/** Replies to choose from, above the composer. A digit inserts one while nobody types. */
export function Suggestions({ botId, conversation, names, onInsert }: Props) {
  const { status, unanswered, last_message } = conversation
  const isWaiting = (status === 'open' || (status === 'bot' && unanswered)) && last_message?.role !== 'agent'
  const [isShown, setShown] = useState(isOnAtFirst)
  const { question, items, isPending, error } = useSuggestions(botId, conversation, names, isWaiting && isShown)
  const latest = useRef({ items, onInsert })
  latest.current = { items, onInsert }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areShortcutsOn()) return
      if (document.querySelector('[role="dialog"], [role="menu"]')) return
      const item = /^[1-9]$/.test(event.key) ? latest.current.items[Number(event.key) - 1] : undefined
      if (!item) return
      event.preventDefault()
      latest.current.onInsert(item.text)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  if (!isWaiting || (isShown && (isPending || error || question === null))) return null
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, isShown ? 'off' : 'on')
    setShown(!isShown)
  }
  return (
    <section className="suggestions" aria-label={texts.title}>
      <button type="button" className="suggestions-head" aria-expanded={isShown} onClick={toggle}>
        <Icon name="bolt" size={14} />
        <strong>{texts.title}</strong>
        {isShown && (
          <span className="quiet clip-line" dir="auto">
            {texts.about(question ?? '')}
          </span>
        )}
        <Icon name={isShown ? 'down' : 'up'} size={14} />
      </button>
      {isShown && items.length === 0 && <p className="suggestions-none quiet">{texts.none}</p>}
      {isShown && items.length > 0 && (
        <ol className="suggestions-list">
          {items.map((item, at) => (
            <li key={item.id} className="suggestion">
              <button type="button" onClick={() => onInsert(item.text)}>
                <kbd>{at + 1}</kbd>
                <span className="suggestion-text" dir="auto">
                  {item.text}
                </span>
              </button>
              <Origin item={item} botId={botId} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** On phones, the messages need the room. */
function isOnAtFirst(): boolean {
  const storedChoice = localStorage.getItem(STORAGE_KEY)
  return storedChoice ? storedChoice === 'on' : !window.matchMedia('(max-width: 55em)').matches
}

/** Where it comes from. */
function Origin({ item, botId }: { item: Suggestion; botId: string }) {
  const { kind, sources = [], confidence, past, shortcut } = item
  const [source] = sources
  return (
    <p className="suggestion-from quiet">
      <Icon name={kind === 'answer' ? 'bots' : kind === 'past' ? 'person' : 'bookmark'} size={14} />
      {kind === 'answer' && (
        <>
          {source && <WebLink url={source.url}>{source.title}</WebLink>}
          <span className="number">
            {typeof confidence === 'number' ? texts.confidence(formatPercent(confidence)) : texts.unsure}
          </span>
        </>
      )}
      {past && (
        <>
          <a
            className="clip-line"
            href={screenPath('botInbox', { botId, conversationId: past.conversation_id })}
            target="_blank"
            rel="noreferrer"
          >
            {texts.past(past.agent_name ?? texts.someone, past.question)}
          </a>
          <Time time={past.replied_at} />
        </>
      )}
      {shortcut && <span>/{shortcut}</span>}
    </p>
  )
}

interface Suggestion {
  id: string
  text: string
  kind: 'answer' | 'past' | 'canned'
  /** Of an answer. */
  sources?: ReplySuggestions['answers'][number]['sources']
  confidence?: number | null
  /** Of an earlier reply. */
  past?: ReplySuggestions['past_replies'][number]
  shortcut?: string
}

/** Replies to the last question, asked for once per message of the visitor. */
function useSuggestions(botId: string, conversation: Conversation, names: ReplyNames, enabled: boolean) {
  const { queryKey, queryFn } = apiQuery('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/suggestions', {
    params: { botId, conversationId: conversation.id },
  })
  const { data, isPending, error } = useQuery({
    queryKey: [...queryKey, conversation.last_visitor_message?.created_at ?? ''],
    queryFn,
    enabled,
    staleTime: STALE_MS,
    // A sent reply or a tag changes nothing here.
    meta: { refreshesItself: true },
  })
  return { question: data?.question ?? null, items: data ? toItems(data, names) : [], isPending, error }
}

/** What the bot is sure of, then what people wrote, then the rest. */
function toItems({ answers, past_replies, canned_replies }: ReplySuggestions, names: ReplyNames): Suggestion[] {
  const fromBot = answers.map(
    ({ text, sources, confidence }, at): Suggestion => ({
      id: `answer-${at}`,
      kind: 'answer',
      text,
      sources,
      confidence,
    }),
  )
  const sure = fromBot.filter(({ confidence }) => confidence !== null)
  const people: Suggestion[] = [
    ...past_replies.map((past): Suggestion => ({ id: past.conversation_id, kind: 'past', text: past.text, past })),
    ...canned_replies.map(
      (reply): Suggestion => ({
        id: reply.id,
        kind: 'canned',
        text: fillReply(reply, names),
        shortcut: reply.shortcut,
      }),
    ),
  ]
  return [...sure, ...people, ...fromBot.filter((each) => !sure.includes(each))].slice(0, MAX_SHOWN)
}
