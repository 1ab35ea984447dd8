import type { Crawl } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useBulkMutation } from '../../api.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { KnowledgeLayout } from '../knowledge/knowledge-layout.tsx'
import { CrawlForm } from './crawl-form.tsx'
import { CrawlProgress, CrawlState, crawlPollInterval, isCrawlRunning } from './crawl-state.tsx'

export function WebsitesPage() {
  const { websites: texts, knowledge, general, lists } = useTexts()
  const botId = useBotId()
  const [adding, setAdding] = useState(false)
  const mayEdit = useHasRole('editor')
  const crawls = useApiList(
    'GET /api/manage/v1/bots/{botId}/crawls',
    { params: { botId } },
    { refetchInterval: crawlPollInterval },
  )
  const toRequest = ({ id }: Crawl) => ({ params: { botId, crawlId: id } })
  const run = useBulkMutation('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', {
    toRequest,
    done: texts.started,
  })
  const remove = useConfirmedAction('DELETE /api/manage/v1/bots/{botId}/crawls/{crawlId}', {
    toRequest,
    done: general.removed,
    action: general.remove,
    title: (items) => (items.length > 1 ? lists.removeTitle(items.length) : texts.removeTitle),
    about: () => texts.removeAbout,
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <KnowledgeLayout actions={crawls.items.length > 0 && add}>
      <DataList<Crawl>
        label={knowledge.websites}
        list={crawls}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        to={({ id }) => screenPath('website', { botId, crawlId: id })}
        columns={[
          { label: texts.url, show: ({ url }) => url, value: ({ url }) => url },
          {
            label: lists.status,
            show: (crawl) => (
              <>
                <CrawlState crawl={crawl} />
                {isCrawlRunning(crawl) && <CrawlProgress crawl={crawl} />}
              </>
            ),
            value: ({ state }) => texts.state[state],
          },
          {
            label: texts.pages,
            isNumber: true,
            isExtra: true,
            show: ({ pages }) => formatNumber(pages.found - pages.waiting),
            value: ({ pages }) => pages.found - pages.waiting,
          },
          {
            label: texts.lastCrawl,
            show: ({ finished_at }) => (finished_at ? <Time time={finished_at} /> : '–'),
            value: ({ finished_at }) => finished_at,
          },
          {
            label: texts.nextCrawl,
            isExtra: true,
            show: ({ next_run_at }) => (next_run_at ? <Time time={next_run_at} /> : '–'),
            value: ({ next_run_at }) => next_run_at,
          },
        ]}
        bulk={
          mayEdit
            ? [
                { label: texts.recrawl, run: run.run, progress: run },
                { label: general.remove, run: remove.ask, destroys: true },
              ]
            : []
        }
        empty={<EmptyState icon="globe" title={texts.emptyTitle} about={texts.emptyAbout} action={add} />}
      />
      <CrawlForm botId={botId} opened={adding} onClose={() => setAdding(false)} />
      {remove.dialog}
    </KnowledgeLayout>
  )
}
