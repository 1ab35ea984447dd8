import type { WorkspaceAnalytics } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api.ts'
import { formatNumber, formatPercent } from '../../text/format.ts'
import { Card } from '../../ui/card.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { LoadError } from '../../ui/loading.tsx'
import { analytics as texts } from './insight-texts.ts'
import type { Period } from './period.ts'

type BotFigures = WorkspaceAnalytics['bots'][number]

interface Props {
  workspaceId: string
  period: Period
  /** Of the page, so that another bot's figures open for the same period. */
  search: string
}

/** The bots of a workspace beside each other; nothing if there is one. */
export function BotComparison({ workspaceId, period, search }: Props) {
  const { from, to, timezone } = period
  const route = 'GET /api/manage/v1/workspaces/{workspaceId}/analytics'
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiQuery(route, { params: { workspaceId }, query: { from, to, timezone } }),
    placeholderData: keepPreviousData,
  })
  const items = data?.bots ?? []
  if (error && !data)
    return (
      <Card title={texts.bots}>
        <LoadError error={error} onRetry={refetch} />
      </Card>
    )
  if (items.length < 2) return null
  const list = {
    key: JSON.stringify([workspaceId, period]),
    items,
    error,
    refetch,
    isPending: false,
    isPlaceholderData,
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => {},
    readAll: async () => items,
  }
  const figure = (label: string, value: (bot: BotFigures) => number, isExtra = false) => ({
    label,
    isNumber: true,
    isExtra,
    value,
    show: (bot: BotFigures) => formatNumber(value(bot)),
  })
  const rate = (name: 'automation_rate' | 'resolution_rate') => ({
    label: texts.figures[name],
    isNumber: true,
    value: ({ resolution }: BotFigures) => resolution[name],
    show: ({ resolution: { [name]: share } }: BotFigures) => (share === null ? '–' : formatPercent(share)),
  })
  return (
    <Card title={texts.bots} about={texts.botsAbout}>
      <DataList<BotFigures>
        label={texts.bots}
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => screenPath('analytics', { botId: id }) + search}
        columns={[
          { label: texts.bot, show: ({ name }) => name, value: ({ name }) => name },
          figure(texts.figures.conversations, ({ conversations }) => conversations, true),
          figure(texts.figures.questions, ({ questions }) => questions, true),
          rate('automation_rate'),
          rate('resolution_rate'),
          figure(texts.outcomeNames.escalated, ({ resolution }) => resolution.escalated),
        ]}
        empty={null}
      />
    </Card>
  )
}
