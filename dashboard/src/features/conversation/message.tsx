import type { ConversationMessage } from '@docent/contract'
import { AnswerText } from '../../text/answer-text.tsx'
import { DecisionStatus } from '../../text/decision.tsx'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { pictureUrl } from '../inbox/use-team.ts'
import { Attachments } from './attachments.tsx'

interface Props {
  place: { botId: string; conversationId: string }
  message: ConversationMessage
  who: string
  /** Whether the visitor has seen it; set only on the agents' last message. */
  isSeen: boolean
  onFix?: () => void
}

/** A message with its author and details. Text from visitors is never rendered as Markdown. */
export function Message({ place, message, who, isSeen, onFix }: Props) {
  const { inbox: words, team } = useTexts()
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
        </p>
      )}
      {isSeen && <p className="message-meta small quiet">{team.seen}</p>}
      {message.unverified && (
        <p className="message-meta small">
          <span className="mark quiet" title={words.unverifiedWhy}>
            <Icon name="warn" size={14} />
            {words.unverified}
          </span>
        </p>
      )}
      {message.rating && <Rating rating={message.rating} reason={message.rating_reason} />}
    </article>
  )
}

function Sources({ sources }: { sources: ConversationMessage['sources'] }) {
  const { inbox: words } = useTexts()
  if (sources.length === 0) return null
  return (
    <ul className="message-sources small" aria-label={words.sources}>
      {sources.map(({ title, url }) => (
        <li key={url}>
          <WebLink url={url}>{title}</WebLink>
        </li>
      ))}
    </ul>
  )
}

function Rating({ rating, reason }: { rating: 'up' | 'down'; reason: string | null }) {
  const { inbox: words } = useTexts()
  const label = rating === 'up' ? words.ratedUp : words.ratedDown
  return (
    <p className="message-meta small">
      <span className="mark" data-tone={rating === 'up' ? 'good' : 'bad'}>
        <Icon name={rating === 'up' ? 'thumbUp' : 'thumbDown'} size={14} />
        <span dir="auto">{reason ? words.ratedWith(label, reason) : label}</span>
      </span>
    </p>
  )
}
