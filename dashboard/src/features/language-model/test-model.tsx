import type { LanguageModelInput, LanguageModelTest } from '@docent/contract'
import { Button } from '@mantine/core'
import { useApiMutation } from '../../api.ts'
import { explainError } from '../../text/explain-error.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { modelProblems, modelReason, model as texts } from './model-texts.ts'

/** Tests the model with the unsaved settings and shows its answer or the error. */
export function TestModel({ botId, settings }: { botId: string; settings: LanguageModelInput }) {
  const allTexts = useTexts()
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
          {texts.test}
        </Button>
      </div>
      {test.error && <Notice tone="bad">{explainError(test.error, allTexts)}</Notice>}
      {data && !test.isPending && (
        <Notice
          tone={data.outcome === 'answered' ? 'good' : 'bad'}
          title={
            data.outcome === 'answered'
              ? texts.testWorks(formatNumber(data.latency_ms))
              : texts.testFailed(modelReason(data.outcome))
          }
        >
          {data.problem ? <NextStep test={data} /> : data.reply}
        </Notice>
      )}
    </div>
  )
}

function NextStep({ test }: { test: LanguageModelTest }) {
  const { steps, retryAfter } = modelProblems
  const { problem, retry_after_seconds: seconds, status, code } = test
  const details = [status, code].filter(Boolean).join(' ')
  return (
    <>
      <p>{[problem && steps[problem], seconds && retryAfter(formatNumber(seconds))].filter(Boolean).join(' ')}</p>
      {details && <p className="quiet small">{details}</p>}
    </>
  )
}
