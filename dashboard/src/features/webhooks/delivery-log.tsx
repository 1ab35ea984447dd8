import type { DeliveryAttempt } from '@docent/contract'
import { Button } from '@mantine/core'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Status } from '../../ui/status.tsx'
import { EventName } from './event-name.tsx'

/** A delivery: its body, and every attempt with the response. */
export function DeliveryLog({ botId, deliveryId }: { botId: string; deliveryId: string }) {
  const { deliveries: texts } = useTexts()
  const params = { botId, deliveryId }
  const mayReplay = useHasRole('editor')
  const deliveryQuery = useApiQuery('GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}', { params })
  const replay = useApiMutation('POST /api/manage/v1/bots/{botId}/deliveries/{deliveryId}/replay', {
    done: texts.replayed,
  })
  if (deliveryQuery.error) return <LoadError error={deliveryQuery.error} onRetry={() => deliveryQuery.refetch()} />
  if (!deliveryQuery.data) return <LoadingRows count={2} />
  const { event_type, url, body, log } = deliveryQuery.data
  return (
    <div className="stack">
      <div className="card-head">
        <div>
          <strong>
            <EventName type={event_type} />
          </strong>
          {url && <span className="quiet small">{url}</span>}
        </div>
        {mayReplay && (
          <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate({ params })}>
            {texts.replay}
          </Button>
        )}
      </div>
      <h3>{texts.log}</h3>
      {log.map((attempt) => (
        <Attempt key={attempt.at} attempt={attempt} />
      ))}
      <h3>{texts.body}</h3>
      <CodeBlock text={formatJson(body)} />
    </div>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { deliveries: texts } = useTexts()
  const headers = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <details className="found">
      <summary>
        <span className="inline">
          <Status tone={attempt.error ? 'bad' : 'good'}>
            {attempt.status ? String(attempt.status) : attempt.error ? texts.noAnswer : texts.state.delivered}
          </Status>
          <Time time={attempt.at} format="dateTime" />
          <span className="quiet number">{texts.duration(formatNumber(attempt.duration_ms))}</span>
        </span>
      </summary>
      {attempt.error && <p>{attempt.error}</p>}
      <div className="stack">
        {attempt.answer && (
          <div className="stack tight">
            <strong>{texts.answer}</strong>
            <CodeBlock text={attempt.answer} />
          </div>
        )}
        {headers.length > 0 && (
          <div className="stack tight">
            <strong>{texts.headers}</strong>
            <CodeBlock text={headers.join('\n')} />
          </div>
        )}
      </div>
    </details>
  )
}

function formatJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
