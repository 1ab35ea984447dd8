import { NumberInput, Switch, Textarea } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { texts as queue } from '../inbox/queue-texts.ts'
import { type HandoverDraft, hasTooManyKeywords } from './handover-draft.ts'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

export function HandoverFields({ draft, change }: Props) {
  const { handover: texts } = useTexts()
  return (
    <>
      <Switch
        label={texts.enabled}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      {draft.enabled && (
        <>
          <Switch
            label={texts.onLowConfidence}
            checked={draft.onLowConfidence}
            onChange={(event) => change({ onLowConfidence: event.currentTarget.checked })}
          />
          <Textarea
            label={texts.keywords}
            description={texts.keywordsHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.keywords}
            error={hasTooManyKeywords(draft.keywords) && texts.tooManyWords}
            onChange={(event) => change({ keywords: event.currentTarget.value })}
          />
          <NumberInput
            label={texts.wait}
            min={10}
            max={3600}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.wait}
            onChange={(value) => typeof value === 'number' && change({ wait: value })}
          />
          <NumberInput
            label={queue.target}
            description={queue.targetHint}
            min={1}
            max={10_080}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.responseMinutes ?? ''}
            onChange={(value) => change({ responseMinutes: typeof value === 'number' ? value : null })}
          />
        </>
      )}
    </>
  )
}
