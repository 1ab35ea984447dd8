import type { AttentionKind, Home } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { conversationsLink } from '../analytics/conversations-link.ts'
import { texts } from './home-texts.ts'
import { Nothing } from './nothing.tsx'

/** Names of the bots by id; empty if there is only one. */
type Names = Map<string, string>

/** The most frequent questions of the week, and how many got an answer. */
export function AskedCard({ questions, names }: { questions: Home['questions']; names: Names }) {
  return (
    <Card title={texts.asked}>
      {questions.length === 0 && <Nothing icon="question" title={texts.nothingAsked} />}
      <ul className="home-rows">
        {questions.map(({ bot_id, question, count, answered }) => (
          <li key={`${bot_id} ${question}`}>
            <div className="home-row">
              <Link className="home-question" to={conversationsLink(bot_id, { asked: question })}>
                {question}
              </Link>
              <span className="quiet small">
                {texts.answeredOf(formatNumber(answered), formatNumber(count))}
                {names.has(bot_id) && ` · ${names.get(bot_id)}`}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface Kind {
  icon: IconName
  tone: 'bad' | 'quiet'
  screen: 'website' | 'feed' | 'tests' | 'integrations' | 'notifications'
}

const kinds: Record<AttentionKind, Kind> = {
  crawl_failed: { icon: 'warn', tone: 'bad', screen: 'website' },
  pages_failed: { icon: 'warn', tone: 'bad', screen: 'website' },
  tests_worse: { icon: 'check', tone: 'bad', screen: 'tests' },
  pages_changed: { icon: 'globe', tone: 'quiet', screen: 'website' },
  feed_failed: { icon: 'warn', tone: 'bad', screen: 'feed' },
  webhook_failing: { icon: 'webhook', tone: 'bad', screen: 'integrations' },
  webhook_disabled: { icon: 'webhook', tone: 'bad', screen: 'integrations' },
  channel_failing: { icon: 'bell', tone: 'bad', screen: 'notifications' },
  channel_disabled: { icon: 'bell', tone: 'bad', screen: 'notifications' },
}

const MAX_SHOWN = 6

/** Content that changed or failed to load, and endpoints that fail. */
export function AttentionCard({ attention, names }: { attention: Home['attention']; names: Names }) {
  const [isWhole, setWhole] = useState(false)
  // One more row takes no more room than the button.
  const shownItems = isWhole || attention.length <= MAX_SHOWN + 1 ? attention : attention.slice(0, MAX_SHOWN)
  return (
    <Card title={texts.attention}>
      {attention.length === 0 && <Nothing icon="check" title={texts.allFine} about={texts.allFineAbout} />}
      <ul className="home-rows">
        {shownItems.map((each) => {
          const { icon, tone, screen } = kinds[each.kind]
          const ids = { botId: each.bot_id, crawlId: each.id, feedId: each.id }
          return (
            <li key={`${each.kind} ${each.id}`}>
              <span className="home-kind" data-tone={tone}>
                <Icon name={icon} size={18} />
              </span>
              <div className="home-row">
                <Link className="home-question" to={screenPath(screen, ids)}>
                  {problemText(each)}
                </Link>
                <span className="quiet small">
                  {each.since && <Time time={each.since} />}
                  {names.has(each.bot_id) && ` · ${names.get(each.bot_id)}`}
                </span>
              </div>
            </li>
          )
        })}
      </ul>
      {shownItems.length < attention.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {texts.otherProblems(formatNumber(attention.length - shownItems.length))}
        </Button>
      )}
    </Card>
  )
}

function problemText({ kind, name, count }: Home['attention'][number]): string {
  if (count === 1 && kind === 'pages_failed') return texts.onePageFailed(name)
  if (count === 1 && kind === 'pages_changed') return texts.onePageChanged(name)
  return texts.problems[kind](name, formatNumber(count ?? 0))
}
