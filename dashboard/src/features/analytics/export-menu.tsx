import type { Analytics, Resolution } from '@docent/contract'
import { Button, Menu } from '@mantine/core'
import { queryClient } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { downloadCsv } from '../../text/csv.ts'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { analytics as texts } from './insight-texts.ts'
import { allTopicsQuery, pagesQuery } from './use-analytics.ts'

const WAYS = ['day', 'topic', 'page', 'language'] as const

/** The figures of the period as CSV, by day, topic, page or language. */
export function ExportMenu({ botId, analytics }: { botId: string; analytics: Analytics | undefined }) {
  const allTexts = useTexts()

  async function download(by: (typeof WAYS)[number], { from, to, timezone, series, languages }: Analytics) {
    const name = `${texts.title} ${by === 'day' ? '' : by} ${from} ${to}`
    if (by === 'day') return downloadRows(name, series.map(flattenPoint))
    if (by === 'page') {
      const { top_pages } = await queryClient.fetchQuery(pagesQuery(botId, { from, to, timezone }))
      return downloadRows(
        name,
        top_pages.map(({ url, resolution }) => ({ url, ...resolution })),
      )
    }
    if (by === 'language')
      return downloadRows(
        name,
        languages.map(({ language, resolution }) => ({ language, ...resolution })),
      )
    const { topics } = await queryClient.fetchQuery(allTopicsQuery(botId, { from, to, timezone }))
    return downloadRows(
      name,
      topics.map(({ question, count, resolution }) => ({ question, count, ...resolution })),
    )
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={18} />} disabled={!analytics}>
          CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {WAYS.map((by) => (
          <Menu.Item
            key={by}
            onClick={() =>
              analytics && void download(by, analytics).catch((error) => toast(explainError(error, allTexts), 'bad'))
            }
          >
            {texts.exportBy[by]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type Cells = Record<string, string | number | null>

function downloadRows(name: string, rows: Cells[]) {
  const labels = Object.keys(rows[0] ?? {})
  downloadCsv<Cells>(
    name,
    labels.map((label) => ({ label, value: (row) => row[label] ?? null })),
    rows,
  )
}

function flattenPoint({
  start,
  since: _since,
  until: _until,
  resolution,
  ...figures
}: Analytics['series'][number]): Cells {
  const { conversations: countedConversations, ...outcomes }: Resolution = resolution
  return { date: start, ...figures, counted_conversations: countedConversations, ...outcomes }
}
