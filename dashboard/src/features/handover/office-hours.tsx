import { Switch } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { HandoverDraft } from './handover-draft.ts'
import { Periods, Timezone } from './periods.tsx'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

export function OfficeHours({ draft, change }: Props) {
  const { handover: texts } = useTexts()
  const { openings } = draft
  return (
    <>
      <Switch
        label={texts.within}
        checked={draft.hasHours}
        onChange={(event) => change({ hasHours: event.currentTarget.checked })}
      />
      {draft.hasHours && (
        <>
          <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
          {openings.length === 0 && <Notice tone="warn">{texts.noHours}</Notice>}
          <Periods periods={openings} onChange={(periods) => change({ openings: periods })} />
        </>
      )}
    </>
  )
}
