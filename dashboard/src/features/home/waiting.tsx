import type { Home } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { visitorName } from '../../text/visitor-name.ts'
import { Card } from '../../ui/card.tsx'
import { Status } from '../../ui/status.tsx'
import { conversationPath } from '../inbox/use-inbox-scope.ts'
import { texts } from './home-texts.ts'
import { Nothing } from './nothing.tsx'

interface Props {
  waiting: Home['waiting']
  /** Names of the bots by id; empty if there is only one. */
  names: Map<string, string>
}

/** Who waits for a person, and since when. */
export function WaitingCard({ waiting: { count, overdue, ...waiting }, names }: Props) {
  const conversations = waiting.conversations.map(({ visitor, visitor_id, ...each }) => ({
    ...each,
    // As the inbox calls them.
    name: visitor ?? (visitor_id ? visitorName(visitor_id) : texts.visitor),
  }))
  return (
    <Card
      title={texts.waiting}
      actions={
        count > 0 && (
          <span className="inline">
            {overdue > 0 && <Status tone="bad">{texts.overdueCount(formatNumber(overdue))}</Status>}
            <Status tone="warn">{texts.waitingCount(formatNumber(count))}</Status>
          </span>
        )
      }
    >
      {count === 0 && <Nothing icon="check" title={texts.nobodyWaits} about={texts.nobodyWaitsAbout} />}
      <ul className="home-rows">
        {conversations.map(({ bot_id, id, name, message, since, due_at }) => (
          <li key={id}>
            <span className="avatar" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <div className="home-row">
              <strong>{name}</strong>
              <span className="home-line">{message ?? texts.noMessage}</span>
              <span className="quiet small">
                <Time time={since} format="elapsed" text={texts.waitingFor} />
                {due_at && Date.parse(due_at) <= Date.now() && (
                  <strong className="home-overdue"> · {texts.overdue}</strong>
                )}
                {names.has(bot_id) && ` · ${names.get(bot_id)}`}
              </span>
            </div>
            <Button
              size="xs"
              variant="light"
              component={Link}
              to={conversationPath({ bot_id, id })}
              aria-label={texts.replyTo(name)}
            >
              {texts.reply}
            </Button>
          </li>
        ))}
      </ul>
      {count > conversations.length && (
        <p className="small">
          <Link to={`${screenPath('inbox', {})}?show=waiting`}>{texts.allWaiting(formatNumber(count))}</Link>
        </p>
      )}
    </Card>
  )
}
