import { NumberInput, Switch, Textarea } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { hasTooManyKeywords, type PeopleDraft } from './people-draft.ts'

interface Given {
  draft: PeopleDraft
  change: (part: Partial<PeopleDraft>) => void
}

export function HandoverFields({ draft, change }: Given) {
  const { handover: words } = useMessages()
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
