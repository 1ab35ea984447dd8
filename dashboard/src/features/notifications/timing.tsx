import { SegmentedControl, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Periods, Timezone } from '../handover/periods.tsx'
import type { ChannelDraft } from './channel-draft.ts'

interface Props {
  draft: ChannelDraft
  change: (part: Partial<ChannelDraft>) => void
}

/** Immediately except for quiet hours, or once a day. */
export function Timing({ draft, change }: Props) {
  const { notifications: texts } = useTexts()
  const { isDigest, quietHours } = draft
  return (
    <>
      <SegmentedControl
        aria-label={texts.when}
        data={[
          { value: 'now', label: texts.timing.now },
          { value: 'digest', label: texts.timing.digest },
        ]}
        value={isDigest ? 'digest' : 'now'}
        onChange={(value) => change({ isDigest: value === 'digest' })}
      />
      {isDigest ? (
        <TextInput
          type="time"
          label={texts.digestAt}
          value={draft.digestAt}
          onChange={(event) => change({ digestAt: event.currentTarget.value })}
        />
      ) : (
        <fieldset className="form bare" aria-label={texts.quiet}>
          <strong>{texts.quiet}</strong>
          <p className="quiet small">{texts.quietAbout}</p>
          <Periods periods={quietHours} onChange={(periods) => change({ quietHours: periods })} />
        </fieldset>
      )}
      {(isDigest || quietHours.length > 0) && (
        <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
      )}
    </>
  )
}
