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
  const { appearance: texts, general } = useTexts()
  return (
    <>
      <div className="pair">
        <TextInput
          label={`${texts.launcherText} (${general.optional})`}
          maxLength={40}
          value={draft.launcherText}
          onChange={(event) => change({ launcherText: event.currentTarget.value })}
        />
        <Select
          label={texts.launcherIcon}
          data={Object.entries(texts.launcherIcons).map(([value, label]) => ({ value, label }))}
          value={draft.launcherIcon}
          allowDeselect={false}
          onChange={(value) => value && change({ launcherIcon: value as AppearanceDraft['launcherIcon'] })}
        />
      </div>
      <div className="pair">
        <OffsetField
          label={texts.offsetSide}
          value={draft.offsetSide}
          onChange={(offsetSide) => change({ offsetSide })}
        />
        <OffsetField
          label={texts.offsetBottom}
          value={draft.offsetBottom}
          onChange={(offsetBottom) => change({ offsetBottom })}
        />
      </div>
      <Textarea
        label={`${texts.showOn} (${general.optional})`}
        description={texts.showOnHint}
        autosize
        minRows={1}
        maxRows={8}
        value={draft.showOn}
        error={problems.pages && texts.tooManyPages}
        onChange={(event) => change({ showOn: event.currentTarget.value })}
      />
      <Textarea
        label={`${texts.hideOn} (${general.optional})`}
        description={texts.hideOnHint}
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
