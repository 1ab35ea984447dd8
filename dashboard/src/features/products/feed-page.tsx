import type { Feed, FeedRun } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button, Modal } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { RemoveButton } from '../../forms/remove-button.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { FeedForm } from './feed-form.tsx'
import { FeedProgress, FeedState, feedPollInterval, isFeedRunning, RunState } from './feed-state.tsx'
import { texts } from './feed-texts.ts'
import { Remarks } from './remarks.tsx'

export function FeedPage() {
  const { knowledge } = useTexts()
  const botId = useBotId()
  const { feedId = '' } = useParams({ strict: false }) as { feedId?: string }
  const params = { botId, feedId }
  const feedQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/feeds/{feedId}',
    { params },
    { refetchInterval: feedPollInterval },
  )
  const feed = feedQuery.data
  const back = { to: screenPath('products', { botId }), label: knowledge.products }
  return (
    <Page
      title={feed ? hostOf(feed) : '…'}
      about={feed?.url}
      back={back}
      actions={feed && <Actions feed={feed} botId={botId} />}
    >
      {feedQuery.error ? (
        <LoadError error={feedQuery.error} onRetry={() => feedQuery.refetch()} />
      ) : feed ? (
        <>
          <Summary feed={feed} botId={botId} />
          <FeedRuns feed={feed} botId={botId} />
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function hostOf({ url }: Feed): string {
  const address = url.replace('…@', '')
  return URL.canParse(address) ? new URL(address).host : url
}

function Actions({ feed, botId }: { feed: Feed; botId: string }) {
  const { general } = useTexts()
  const params = { botId, feedId: feed.id }
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const run = useApiMutation('POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run')
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}')
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}/feeds/{feedId}', {
    done: general.removed,
    onDone: () => navigate({ to: screenPath('products', { botId }) }),
  })
  if (!useHasRole('editor')) return null
  const isPaused = feed.state === 'paused'
  return (
    <>
      {!isFeedRunning(feed) && (
        <Button loading={run.isPending} onClick={() => run.mutate({ params })}>
          {texts.runNow}
        </Button>
      )}
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate({ params, body: { paused: !isPaused } })}
      >
        {isPaused ? texts.resume : texts.pause}
      </Button>
      <Button variant="default" onClick={() => setEditing(true)}>
        {texts.settings}
      </Button>
      <RemoveButton title={texts.removeTitle} pending={remove.isPending} onRemove={() => remove.mutate({ params })}>
        {texts.removeAbout}
      </RemoveButton>
      <FeedForm botId={botId} feed={feed} opened={editing} onClose={() => setEditing(false)} />
    </>
  )
}

function Summary({ feed, botId }: { feed: Feed; botId: string }) {
  const { last_run: run } = feed
  return (
    <>
      <div className="inline">
        <FeedState feed={feed} />
        <span className="quiet">
          {feed.every_hours === null ? texts.manually : texts.everyHours(feed.every_hours)}
          {feed.format && ` · ${texts.formats[feed.format]}`}
        </span>
        {feed.next_run_at && (
          <span className="quiet">
            <Time time={feed.next_run_at} text={texts.nextRun} />
          </span>
        )}
      </div>
      {isFeedRunning(feed) && <FeedProgress feed={feed} />}
      {!isFeedRunning(feed) && run?.reason && (
        <Notice tone="bad">
          {texts.reasons[run.reason]}
          {run.reason === 'http_status' && run.status_code ? ` (${run.status_code})` : ''}
        </Notice>
      )}
      {!isFeedRunning(feed) && run?.cut_reason && <Notice tone="warn">{texts.cut[run.cut_reason]}</Notice>}
      {!isFeedRunning(feed) && run !== null && run.removal_held > 0 && (
        <HeldRemovals feed={feed} botId={botId} run={run} />
      )}
    </>
  )
}

function HeldRemovals({ feed, botId, run }: { feed: Feed; botId: string; run: FeedRun }) {
  const [asking, setAsking] = useState(false)
  const mayEdit = useHasRole('editor')
  const confirm = useApiMutation('POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run', {
    onDone: () => setAsking(false),
  })
  return (
    <Notice tone="warn">
      <div className="stack tight">
        {texts.held(formatNumber(run.removal_held))}
        {mayEdit && (
          <div>
            <Button size="xs" variant="default" onClick={() => setAsking(true)}>
              {texts.confirmRemoval}
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        title={texts.confirmRemoval}
        action={texts.confirmRemoval}
        pending={confirm.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => confirm.mutate({ params: { botId, feedId: feed.id }, query: { confirm_removal: true } })}
      >
        {texts.confirmAbout}
      </ConfirmDialog>
    </Notice>
  )
}

const POLL_MS = 2000

function lacksLastRun({ last_run: last }: Feed, runs: unknown): boolean {
  return last !== null && (runs as FeedRun[])[0]?.id !== last.id
}

function FeedRuns({ feed, botId }: { feed: Feed; botId: string }) {
  const { syncs } = useTexts()
  const [shownRun, setShownRun] = useState<FeedRun | null>(null)
  const params = { botId, feedId: feed.id }
  const runs = useApiList(
    'GET /api/manage/v1/bots/{botId}/feeds/{feedId}/runs',
    { params },
    // A quick run ends between two polls: the list then lacks it.
    { refetchInterval: (loadedRuns) => (isFeedRunning(feed) || lacksLastRun(feed, loadedRuns) ? POLL_MS : false) },
  )
  return (
    <Card title={texts.history}>
      <List
        label={texts.history}
        list={runs}
        empty={<EmptyState icon="refresh" title={texts.noRuns} about={texts.noRunsAbout} />}
      >
        {(run) => (
          <Row
            key={run.id}
            title={<Time time={run.finished_at} format="dateTime" />}
            {...(run.errors.length + run.warnings.length > 0 ? { onOpen: () => setShownRun(run) } : {})}
            meta={
              run.outcome === 'done'
                ? [
                    syncs.received(formatNumber(run.received)),
                    run.pages > 1 && texts.pages(formatNumber(run.pages)),
                    syncs.changed(formatNumber(run.created), formatNumber(run.updated), formatNumber(run.deleted)),
                  ]
                : [run.reason && texts.reasons[run.reason], run.reason === 'http_status' && run.status_code]
            }
            end={<RunState run={run} />}
          />
        )}
      </List>
      <Modal
        opened={shownRun !== null}
        onClose={() => setShownRun(null)}
        size="lg"
        title={shownRun && <Time time={shownRun.finished_at} format="dateTime" />}
      >
        {shownRun && (
          <div className="stack">
            <Remarks title={syncs.errors} remarks={shownRun.errors} />
            <Remarks title={syncs.warnings} remarks={shownRun.warnings} />
          </div>
        )}
      </Modal>
    </Card>
  )
}
