import type { Conversation } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber, languageName } from '../../text/format.ts'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Notes } from './notes.tsx'

const MAX_OTHERS = 5

/** What is known about the visitor, with the team's notes. */
export function Details({ botId, conversation }: { botId: string; conversation: Conversation }) {
  const { inbox: words } = useTexts()
  const { visitor, user_id, page_url, language, tags, rating } = conversation
  const further = Object.entries(conversation.metadata ?? {})
  const mayReadLeads = useHasRole('agent')
  const facts: [label: string, value: ReactNode][] = [
    [words.name, visitor?.name],
    [words.email, visitor?.email && <a href={`mailto:${encodeURIComponent(visitor.email)}`}>{visitor.email}</a>],
    [words.userId, user_id],
    [words.page, page_url && <WebLink url={page_url} />],
    [words.language, language && languageName(language)],
    [words.started, <Time key="started" time={conversation.created_at} format="dateTime" />],
    [
      words.chatRating,
      rating && <PlainText text={[words.chatStars(rating.stars), rating.reason].filter(Boolean).join('\n')} />,
    ],
    [words.messageCount, formatNumber(conversation.message_count)],
  ]
  return (
    <div className="details">
      <section className="stack tight" aria-label={words.details}>
        <h3>{words.details}</h3>
        <dl className="details-facts">
          {facts
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
          {further.map(([label, value]) => (
            <Fact key={label} label={label}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </Fact>
          ))}
        </dl>
        {tags.length > 0 && (
          <p className="inline">
            {tags.map((tag) => (
              <span key={tag} className="tag small">
                {tag}
              </span>
            ))}
          </p>
        )}
      </section>
      {visitor && mayReadLeads && <VisitorLead botId={botId} visitorId={visitor.id} />}
      {visitor && <OtherConversations botId={botId} visitorId={visitor.id} conversationId={conversation.id} />}
      <Notes botId={botId} conversation={conversation} />
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="small quiet">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function VisitorLead({ botId, visitorId }: { botId: string; visitorId: string }) {
  const { inbox: words } = useTexts()
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/leads', {
    params: { botId },
    query: { visitor_id: visitorId, limit: 1 },
  })
  const lead = data?.items[0]
  const title = lead?.name ?? lead?.email ?? lead?.phone ?? words.lead
  const further = [lead?.email, lead?.phone].filter((each) => each && each !== title)
  return (
    <section className="stack tight" aria-label={words.lead}>
      <h3>{words.lead}</h3>
      {data && !lead && <p className="small quiet">{words.noLead}</p>}
      {lead && (
        <Link to={`/bots/${botId}/leads`} search={{ lead: lead.id, visitor: visitorId } as never} className="mini">
          <strong dir="auto">{title}</strong>
          <span className="small quiet">{further.join(' · ')}</span>
        </Link>
      )}
      {lead?.message && (
        <div className="small">
          <PlainText text={lead.message} />
        </div>
      )}
    </section>
  )
}

function OtherConversations({
  botId,
  visitorId,
  conversationId,
}: {
  botId: string
  visitorId: string
  conversationId: string
}) {
  const { inbox: words } = useTexts()
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/conversations', {
    params: { botId },
    query: { visitor_id: visitorId, limit: MAX_OTHERS + 1 },
  })
  const others = (data?.items ?? []).filter(({ id }) => id !== conversationId).slice(0, MAX_OTHERS)
  return (
    <section className="stack tight" aria-label={words.others}>
      <h3>{words.others}</h3>
      {data && others.length === 0 && <p className="small quiet">{words.noOthers}</p>}
      {others.map(({ id, last_message, updated_at }) => (
        <Link key={id} to={`/bots/${botId}/inbox/${id}`} search={{ visitor: visitorId } as never} className="mini">
          <span className="mini-text" dir="auto">
            {last_message?.text ?? words.conversation}
          </span>
          <span className="small quiet">
            <Time time={updated_at} />
          </span>
        </Link>
      ))}
      {others.length > 0 && (
        <Link to={`/bots/${botId}/inbox/${conversationId}`} search={{ visitor: visitorId } as never} className="small">
          {words.showOthers}
        </Link>
      )}
    </section>
  )
}
