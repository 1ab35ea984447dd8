import type { Analytics, Resolution } from '@docent/contract'
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatNumber, formatPercent, languageName } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { type ConversationsQuery, conversationsLink } from './conversations-link.ts'
import { analytics as texts } from './insight-texts.ts'
import { topicsQuery } from './use-analytics.ts'

const WAYS = ['topic', 'page', 'language'] as const
const MAX_ROWS = 10

interface Props {
  botId: string
  analytics: Analytics
  during: Pick<ConversationsQuery, 'since' | 'until' | 'tz'>
}

/** How conversations ended, by what they were about or where they began. */
export function Breakdown({ botId, analytics, during }: Props) {
  const [by, setBy] = useState<(typeof WAYS)[number]>('topic')
  const topics = useQuery({ ...topicsQuery(botId, analytics), placeholderData: keepPreviousData })
  return (
    <Card
      title={texts.breakdown}
      about={texts.breakdownAbout}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={texts.breakdown}
          value={by}
          onChange={(value) => setBy(value as (typeof WAYS)[number])}
          data={WAYS.map((value) => ({ value, label: texts.ways[value] }))}
        />
      }
    >
      {by === 'page' ? (
        <Rows
          empty={texts.noPages}
          rows={analytics.top_pages.map(({ url, resolution }) => ({ key: url, name: url, resolution }))}
        />
      ) : by === 'language' ? (
        <Rows
          empty={texts.nothingEnded}
          rows={analytics.languages.map(({ language, resolution }) => ({
            key: language,
            name: language ? languageName(language) : texts.unknownLanguage,
            resolution,
          }))}
        />
      ) : topics.error ? (
        <LoadError error={topics.error} onRetry={() => topics.refetch()} />
      ) : !topics.data ? (
        <LoadingRows />
      ) : (
        <Rows
          empty={texts.nothingEnded}
          rows={topics.data.topics.map(({ question, resolution }) => ({
            key: question,
            name: (
              <Link className="quiet-link" to={conversationsLink(botId, { asked: question, ...during })}>
                {question}
              </Link>
            ),
            resolution,
          }))}
        />
      )}
    </Card>
  )
}

interface RowsProps {
  rows: { key: string; name: ReactNode; resolution: Resolution }[]
  empty: string
}

function Rows({ rows, empty }: RowsProps) {
  const visibleRows = rows.filter(({ resolution }) => resolution.conversations > 0).slice(0, MAX_ROWS)
  if (visibleRows.length === 0) return <p className="quiet">{empty}</p>
  return (
    <ol className="ranked">
      {visibleRows.map(({ key, name, resolution }) => {
        const { conversations, confirmed, assumed, resolution_rate: rate } = resolution
        return (
          <li key={key}>
            <span className="ranked-name">{name}</span>
            <strong className="number">{rate === null ? '–' : formatPercent(rate)}</strong>
            <div className="bar" aria-hidden="true">
              <div style={{ width: `${(rate ?? 0) * 100}%` }} />
            </div>
            <span className="ranked-of">
              {texts.resolvedOf(formatNumber(confirmed + assumed), formatNumber(conversations))}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
