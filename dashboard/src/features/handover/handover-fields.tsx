import { NumberInput, Switch, Textarea } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { type HandoverDraft, hasTooManyKeywords } from './handover-draft.ts'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

export function HandoverFields({ draft, change }: Props) {
  const { handover: words } = useTexts()
  return (
    <>
      <Switch
        label={words.enabled}
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      {draft.enabled && (
        <>
          <Switch
            label={words.onLowConfidence}
            checked={draft.onLowConfidence}
            onChange={(event) => change({ onLowConfidence: event.currentTarget.checked })}
          />
          <Textarea
            label={words.keywords}
            description={words.keywordsHint}
            autosize
            minRows={2}
            maxRows={8}
            value={draft.keywords}
            error={hasTooManyKeywords(draft.keywords) && words.tooManyWords}
            onChange={(event) => change({ keywords: event.currentTarget.value })}
          />
          <NumberInput
            label={words.wait}
            min={10}
            max={3600}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.wait}
            onChange={(value) => typeof value === 'number' && change({ wait: value })}
          />
        </>
      )}
    </>
  )
}
