import type { Crawl, CrawlPage } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Select } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { useHasRole } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Figures } from '../../ui/figures.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { CrawlForm } from './crawl-form.tsx'
import { CrawlFailure, CrawlProgress, CrawlState, crawlPollInterval, isCrawlRunning } from './crawl-state.tsx'

export function WebsitePage() {
  const { knowledge } = useTexts()
  const botId = useBotId()
  const { crawlId = '' } = useParams({ strict: false }) as { crawlId?: string }
  const params = { botId, crawlId }
  const crawlQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/crawls/{crawlId}',
    { params },
    { refetchInterval: crawlPollInterval },
  )
  const crawl = crawlQuery.data
  const back = { to: screenPath('websites', { botId }), label: knowledge.websites }
  return (
    <Page title={crawl?.url ?? '…'} back={back} actions={crawl && <Actions crawl={crawl} botId={botId} />}>
      {crawlQuery.error ? (
        <LoadError error={crawlQuery.error} onRetry={() => crawlQuery.refetch()} />
      ) : crawl ? (
        <>
          <Summary crawl={crawl} botId={botId} />
          <Pages crawl={crawl} botId={botId} />
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Actions({ crawl, botId }: { crawl: Crawl; botId: string }) {
  const { websites: texts, general } = useTexts()
  const params = { botId, crawlId: crawl.id }
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const run = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run', { done: texts.started })
  const stop = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop')
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/crawls/{crawlId}', {
    done: general.removed,
    onDone: () => navigate({ to: screenPath('websites', { botId }) }),
  })
  if (!useHasRole('editor')) return null
  return (
    <>
      {isCrawlRunning(crawl) ? (
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ params })}>
          {texts.stop}
        </Button>
      ) : (
        <Button loading={run.isPending} onClick={() => run.mutate({ params })}>
          {texts.recrawl}
        </Button>
      )}
      <Button variant="default" onClick={() => setEditing(true)}>
        {texts.settings}
      </Button>
      <RemoveButton title={texts.removeTitle} pending={remove.isPending} onRemove={() => remove.mutate({ params })}>
        {texts.removeAbout}
      </RemoveButton>
      <CrawlForm botId={botId} crawl={crawl} opened={editing} onClose={() => setEditing(false)} />
    </>
  )
}

function Summary({ crawl, botId }: { crawl: Crawl; botId: string }) {
  const { websites: texts } = useTexts()
  const reasons = [...crawl.skipped, ...crawl.failed]
  return (
    <>
      <div className="inline">
        <CrawlState crawl={crawl} />
        {crawl.reason && <span className="quiet">{reasonText(crawl.reason, texts)}</span>}
      </div>
      {isCrawlRunning(crawl) && <CrawlProgress crawl={crawl} />}
      <CrawlFailure botId={botId} crawl={crawl} />
      <Figures
        figures={(['found', 'done', 'unchanged', 'skipped', 'failed'] as const).map((name) => ({
          label: texts.counts[name],
          value: crawl.pages[name],
        }))}
      />
      {crawl.limit_reached && <Notice tone="warn">{texts.limitReached}</Notice>}
      {reasons.length > 0 && (
        <Card title={texts.reasonsTitle}>
          <dl className="facts">
            {reasons.map(({ reason, pages }) => (
              <div key={reason} className="facts-row">
                <dt className="number">{pages}</dt>
                <dd>{reasonText(reason, texts)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </>
  )
}

const pageTones: Record<CrawlPage['state'], Tone> = {
  queued: 'quiet',
  fetching: 'busy',
  done: 'good',
  unchanged: 'good',
  skipped: 'warn',
  failed: 'bad',
  gone: 'quiet',
}

function Pages({ crawl, botId }: { crawl: Crawl; botId: string }) {
  const { websites: texts, general } = useTexts()
  const [state, setState] = useState<CrawlPage['state'] | ''>('')
  const params = { botId, crawlId: crawl.id }
  const pages = useApiList(
    'GET /api/manage/v1/bots/{botId}/crawls/{crawlId}/pages',
    { params, query: { kind: 'page', ...(state && { state }) } },
    { refetchInterval: () => (isCrawlRunning(crawl) ? 4000 : false) },
  )
  const states = Object.entries(texts.pageState).map(([value, label]) => ({ value, label }))
  return (
    <Card
      title={texts.pages}
      actions={
        <Select
          aria-label={texts.pages}
          size="xs"
          data={[{ value: '', label: general.all }, ...states]}
          value={state}
          onChange={(value) => setState((value ?? '') as typeof state)}
        />
      }
    >
      <List
        label={texts.pages}
        list={pages}
        empty={<EmptyState icon="globe" title={texts.noPages} about={texts.noPagesAbout} />}
      >
        {(page) => (
          <Row
            key={page.kind + page.url}
            title={page.title ?? page.url}
            {...(page.document_id ? { to: screenPath('document', { botId, documentId: page.document_id }) } : {})}
            meta={[page.title && page.url, page.reason && reasonText(page.reason, texts), page.related_url]}
            end={<Status tone={pageTones[page.state]}>{texts.pageState[page.state]}</Status>}
          />
        )}
      </List>
    </Card>
  )
}

/** Why a page was skipped or failed, translated if possible. */
function reasonText(reason: string, { reasons }: Texts['websites']): string {
  return (reasons as Record<string, string>)[reason] ?? reason
}
