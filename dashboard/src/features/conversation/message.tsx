import type { ConversationMessage } from '@docent/contract'
import { useState } from 'react'
import { AnswerText } from '../../text/answer-text.tsx'
import { DecisionStatus } from '../../text/decision.tsx'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { pictureUrl } from '../inbox/use-team.ts'
import { AddTestQuestion } from '../knowledge/add-test-question.tsx'
import { AddToKnowledge } from '../knowledge/proposals.tsx'
import { Attachments } from './attachments.tsx'
import { replyHelp as texts } from './conversation-texts.ts'
import { type ConversationPlace, useModelDraft } from './reply/use-model-draft.ts'

interface Props {
  place: { botId: string; conversationId: string }
  message: ConversationMessage
  who: string
  /** Whether the visitor has seen it; set only on the agents' last message. */
  isSeen: boolean
  onFix?: () => void
  /** What the reply answered, for those who may save it as a test question. */
  testQuestion?: string
  /** Whether it may be proposed as a curated answer. */
  mayPropose?: boolean
  /** Whether a language model can translate it. */
  canTranslate?: boolean
}

/** A message with its author and details. Text from visitors is never rendered as Markdown. */
export function Message({ place, message, who, isSeen, onFix, testQuestion, mayPropose, canTranslate }: Props) {
  const { inbox: texts, team } = useTexts()
  const workspaceId = useWorkspaceId()
  const { role, text, created_at, answered, attachments, agent_avatar } = message
  return (
    <article className="message" data-role={role} aria-label={who}>
      <p className="message-head small quiet">
        {role === 'agent' && (
          <Avatar
            name={message.agent_name ?? who}
            id={message.agent_id ?? message.agent_name ?? who}
            small
            src={agent_avatar && pictureUrl(workspaceId, agent_avatar)}
          />
        )}
        <strong className="message-name" dir="auto">
          {who}
        </strong>
        <Time time={created_at} format="time" />
      </p>
      <div className="message-body">
        {attachments.length > 0 ? (
          <Attachments place={place} attachments={attachments} />
        ) : role === 'visitor' ? (
          <PlainText text={text} />
        ) : (
          <AnswerText text={text} />
        )}
        <Sources sources={message.sources} />
      </div>
      {role === 'bot' && (answered !== null || onFix) && (
        <p className="message-meta small">
          {answered !== null && <DecisionStatus reply={message} />}
          {onFix && (
            <button type="button" className="message-fix" onClick={onFix}>
              <Icon name="pencil" size={14} />
              {team.fix}
            </button>
          )}
          {answered !== null && testQuestion && (
            <AddTestQuestion botId={place.botId} question={testQuestion} sources={message.sources} isLink />
          )}
        </p>
      )}
      {mayPropose && attachments.length === 0 && (
        <p className="message-meta small">
          <AddToKnowledge place={place} messageId={message.id} />
        </p>
      )}
      {canTranslate && attachments.length === 0 && <Translation place={place} text={text} />}
      {isSeen && <p className="message-meta small quiet">{team.seen}</p>}
      {message.unverified && (
        <p className="message-meta small">
          <span className="mark quiet" title={texts.unverifiedWhy}>
            <Icon name="warn" size={14} />
            {texts.unverified}
          </span>
        </p>
      )}
      {message.rating && <Rating rating={message.rating} reason={message.rating_reason} />}
    </article>
  )
}

function Sources({ sources }: { sources: ConversationMessage['sources'] }) {
  const { inbox: texts } = useTexts()
  if (sources.length === 0) return null
  return (
    <ul className="message-sources small" aria-label={texts.sources}>
      {sources.map(({ title, url }) => (
        <li key={url}>
          <WebLink url={url}>{title}</WebLink>
        </li>
      ))}
    </ul>
  )
}

function Rating({ rating, reason }: { rating: 'up' | 'down'; reason: string | null }) {
  const { inbox: texts } = useTexts()
  const label = rating === 'up' ? texts.ratedUp : texts.ratedDown
  return (
    <p className="message-meta small">
      <span className="mark" data-tone={rating === 'up' ? 'good' : 'bad'}>
        <Icon name={rating === 'up' ? 'thumbUp' : 'thumbDown'} size={14} />
        <span dir="auto">{reason ? texts.ratedWith(label, reason) : label}</span>
      </span>
    </p>
  )
}

/** A message in the language of the interface, on request. */
function Translation({ place, text }: { place: ConversationPlace; text: string }) {
  const { isPending, write } = useModelDraft(place)
  const [translatedText, setTranslatedText] = useState<string | null>(null)
  if (translatedText === null)
    return (
      <p className="message-meta small">
        <button
          type="button"
          className="message-fix"
          disabled={isPending}
          onClick={() => write({ task: 'translate', text, language: currentLanguage() }, setTranslatedText)}
        >
          {isPending ? texts.writing : texts.translate}
        </button>
      </p>
    )
  return (
    <div className="message-translation small">
      <PlainText text={translatedText} />
      <p className="quiet">{texts.translation}</p>
    </div>
  )
}
