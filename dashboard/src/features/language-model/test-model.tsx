import type { LanguageModelInput, LanguageModelTest } from '@docent/contract'
import { Button } from '@mantine/core'
import { useApiMutation } from '../../api.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { modelReason, modelTexts } from './model-texts.ts'

/** Tests the model with the unsaved settings and shows its answer or the error. */
export function TestModel({ botId, settings }: { botId: string; settings: LanguageModelInput }) {
  const texts = useTexts()
  const { model: words } = texts
  const test = useApiMutation('POST /api/manage/v1/bots/{botId}/language-model/test', { silent: true })
  const { data } = test
  return (
    <div className="stack tight" aria-live="polite">
      <div>
        <Button
          variant="default"
          loading={test.isPending}
          disabled={settings.model === ''}
          onClick={() => test.mutate({ params: { botId }, body: { language_model: settings } })}
        >
          {words.test}
        </Button>
      </div>
      {test.error && <Notice tone="bad">{explainError(test.error, texts)}</Notice>}
      {data && !test.isPending && (
        <Notice
          tone={data.outcome === 'answered' ? 'good' : 'bad'}
          title={
            data.outcome === 'answered'
              ? words.testWorks(formatNumber(data.latency_ms))
              : words.testFailed(modelReason(data.outcome))
          }
        >
          {data.problem ? <NextStep test={data} /> : data.reply}
        </Notice>
      )}
    </div>
  )
}

function NextStep({ test }: { test: LanguageModelTest }) {
  const { steps, retryAfter } = modelTexts()
  const { problem, retry_after_seconds: seconds, status, code } = test
  const details = [status, code].filter(Boolean).join(' ')
  return (
    <>
      <p>{[problem && steps[problem], seconds && retryAfter(formatNumber(seconds))].filter(Boolean).join(' ')}</p>
      {details && <p className="quiet small">{details}</p>}
    </>
  )
}
