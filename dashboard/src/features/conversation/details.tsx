import type { Conversation, Identity, Visit } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber, languageName } from '../../text/format.ts'
import { PlainText, WebLink } from '../../text/plain-text.tsx'
import { Time } from '../../text/time.tsx'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { texts as identityTexts } from '../identity/identity-texts.ts'
import { Level } from '../identity/level.tsx'
import { thread as threadTexts } from './conversation-texts.ts'
import { Notes } from './notes.tsx'

const MAX_OTHERS = 5

/** What is known about the visitor, with the team's notes. */
export function Details({ botId, conversation }: { botId: string; conversation: Conversation }) {
  const { inbox: texts } = useTexts()
  const { visitor, identity, visit, user_id, page_url, language, tags, rating } = conversation
  const pages = visit?.pages ?? []
  const metadata = Object.entries(conversation.metadata ?? {})
  // Anybody can write to the widget's API. Those of the chat API have a key.
  const isUnproven = conversation.channel === 'widget' && metadata.length > 0
  const mayReadLeads = useHasRole('agent')
  const facts: [label: string, value: ReactNode][] = [
    [texts.name, visitor?.name],
    [texts.email, visitor?.email && <a href={`mailto:${encodeURIComponent(visitor.email)}`}>{visitor.email}</a>],
    [identityTexts.level, visitor && visitor.level !== 'anonymous' && <Level level={visitor.level} />],
    [texts.userId, user_id],
    [texts.page, pages.length < 2 && page_url && <WebLink url={page_url} />],
    [texts.language, language && languageName(language)],
    [threadTexts.referrer, visit?.referrer && <WebLink url={visit.referrer} />],
    [threadTexts.country, visit?.country && countryName(visit.country)],
    [threadTexts.timezone, visit?.timezone && timezoneName(visit.timezone)],
    [threadTexts.device, visit?.device && deviceName(visit.device)],
    [texts.started, <Time key="started" time={conversation.created_at} format="dateTime" />],
    [
      texts.chatRating,
      rating && <PlainText text={[texts.chatStars(rating.stars), rating.reason].filter(Boolean).join('\n')} />,
    ],
    [texts.messageCount, formatNumber(conversation.message_count)],
  ]
  return (
    <div className="details">
      <section className="stack tight" aria-label={texts.details}>
        <h3>{texts.details}</h3>
        <dl className="details-facts">
          {facts
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
          {!isUnproven && <Metadata entries={metadata} />}
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
      {pages.length > 1 && <Pages pages={pages} />}
      {identity && <VerifiedDetails identity={identity} />}
      {isUnproven && (
        <section className="stack tight" aria-label={threadTexts.unprovenDetails}>
          <h3>{threadTexts.unprovenDetails}</h3>
          <dl className="details-facts">
            <Metadata entries={metadata} />
          </dl>
        </section>
      )}
      {visitor && mayReadLeads && <VisitorLead botId={botId} visitorId={visitor.id} />}
      {visitor && <OtherConversations botId={botId} visitorId={visitor.id} conversationId={conversation.id} />}
      <Notes botId={botId} conversation={conversation} />
    </div>
  )
}

/** Where the visitor wrote messages. */
function Pages({ pages }: { pages: Visit['pages'] }) {
  return (
    <section className="stack tight" aria-label={threadTexts.pages}>
      <h3>{threadTexts.pages}</h3>
      <ol className="visited">
        {pages.map(({ url, visited_at }) => (
          <li key={url}>
            <WebLink url={url} />
            <span className="small quiet">
              <Time time={visited_at} format="time" />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function deviceName({ browser, system, kind }: NonNullable<Visit['device']>): string {
  return [threadTexts.devices[kind], [browser, system].filter(Boolean).join(' · ')].filter(Boolean).join(', ')
}

/** Any two letters can be sent, and not all of them are a country. */
function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(currentLanguage(), { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

/** With the time that it is there: at night nobody answers. */
function timezoneName(timeZone: string): string {
  const name = timeZone.replaceAll('_', ' ')
  try {
    const time = new Intl.DateTimeFormat(currentLanguage(), { timeZone, hour: 'numeric', minute: '2-digit' })
    return `${name}, ${time.format(Date.now())}`
  } catch {
    // The server may know more of them than the browser.
    return name
  }
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="small quiet">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  )
}

function Metadata({ entries }: { entries: [label: string, value: unknown][] }) {
  return entries.map(([label, value]) => (
    <Fact key={label} label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </Fact>
  ))
}

/** What the site has signed; the rest of the details may be typed by anybody. */
function VerifiedDetails({ identity }: { identity: Identity }) {
  const { inbox: texts } = useTexts()
  const { user_id, name, email, phone, attributes, verified_at } = identity
  const facts: [label: string, value: unknown][] = [
    [texts.userId, user_id],
    [texts.name, name],
    [texts.email, email],
    [identityTexts.phone, phone],
    ...Object.entries(attributes),
  ]
  return (
    <section className="stack tight" aria-label={identityTexts.verifiedDetails}>
      <h3>{identityTexts.verifiedDetails}</h3>
      <dl className="details-facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <Fact key={label} label={label}>
              {String(value)}
            </Fact>
          ))}
        <Fact label={identityTexts.verifiedAt}>
          <Time time={verified_at} />
        </Fact>
      </dl>
    </section>
  )
}

function VisitorLead({ botId, visitorId }: { botId: string; visitorId: string }) {
  const { inbox: texts } = useTexts()
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/leads', {
    params: { botId },
    query: { visitor_id: visitorId, limit: 1 },
  })
  const lead = data?.items[0]
  const title = lead?.name ?? lead?.email ?? lead?.phone ?? texts.lead
  const further = [lead?.email, lead?.phone].filter((each) => each && each !== title)
  return (
    <section className="stack tight" aria-label={texts.lead}>
      <h3>{texts.lead}</h3>
      {data && !lead && <p className="small quiet">{texts.noLead}</p>}
      {lead && (
        <Link
          to={screenPath('leads', { botId })}
          search={{ lead: lead.id, visitor: visitorId } as never}
          className="mini"
        >
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
  const { inbox: texts } = useTexts()
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/conversations', {
    params: { botId },
    query: { visitor_id: visitorId, limit: MAX_OTHERS + 1 },
  })
  const others = (data?.items ?? []).filter(({ id }) => id !== conversationId).slice(0, MAX_OTHERS)
  return (
    <section className="stack tight" aria-label={texts.others}>
      <h3>{texts.others}</h3>
      {data && others.length === 0 && <p className="small quiet">{texts.noOthers}</p>}
      {others.map(({ id, last_message, updated_at }) => (
        <Link
          key={id}
          to={screenPath('botInbox', { botId, conversationId: id })}
          search={{ visitor: visitorId } as never}
          className="mini"
        >
          <span className="mini-text" dir="auto">
            {last_message?.text ?? texts.conversation}
          </span>
          <span className="small quiet">
            <Time time={updated_at} />
          </span>
        </Link>
      ))}
      {others.length > 0 && (
        <Link
          to={screenPath('botInbox', { botId, conversationId })}
          search={{ visitor: visitorId } as never}
          className="small"
        >
          {texts.showOthers}
        </Link>
      )}
    </section>
  )
}
