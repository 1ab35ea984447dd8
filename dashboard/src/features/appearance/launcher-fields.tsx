import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import type { AppearanceDraft, findProblems } from './appearance-draft.ts'

interface Props {
  draft: AppearanceDraft
  change: (part: Partial<AppearanceDraft>) => void
  problems: ReturnType<typeof findProblems>
}

/** The chat button: its look, its position, and the pages it appears on. */
export function LauncherFields({ draft, change, problems }: Props) {
  const { appearance: words, general } = useTexts()
  return (
    <>
      <div className="pair">
        <TextInput
          label={`${words.launcherText} (${general.optional})`}
          maxLength={40}
          value={draft.launcherText}
          onChange={(event) => change({ launcherText: event.currentTarget.value })}
        />
        <Select
          label={words.launcherIcon}
          data={Object.entries(words.launcherIcons).map(([value, label]) => ({ value, label }))}
          value={draft.launcherIcon}
          allowDeselect={false}
          onChange={(value) => value && change({ launcherIcon: value as AppearanceDraft['launcherIcon'] })}
        />
      </div>
      <div className="pair">
        <OffsetField
          label={words.offsetSide}
          value={draft.offsetSide}
          onChange={(offsetSide) => change({ offsetSide })}
        />
        <OffsetField
          label={words.offsetBottom}
          value={draft.offsetBottom}
          onChange={(offsetBottom) => change({ offsetBottom })}
        />
      </div>
      <Textarea
        label={`${words.showOn} (${general.optional})`}
        description={words.showOnHint}
        autosize
        minRows={1}
        maxRows={8}
        value={draft.showOn}
        error={problems.pages && words.tooManyPages}
        onChange={(event) => change({ showOn: event.currentTarget.value })}
      />
      <Textarea
        label={`${words.hideOn} (${general.optional})`}
        description={words.hideOnHint}
        autosize
        minRows={1}
        maxRows={8}
        value={draft.hideOn}
        onChange={(event) => change({ hideOn: event.currentTarget.value })}
      />
    </>
  )
}

function OffsetField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <NumberInput
      label={label}
      min={0}
      max={400}
      clampBehavior="strict"
      allowDecimal={false}
      value={value}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  )
}
