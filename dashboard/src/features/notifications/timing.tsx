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
  const { notifications: words } = useTexts()
  const { isDigest, quietHours } = draft
  return (
    <>
      <SegmentedControl
        aria-label={words.when}
        data={[
          { value: 'now', label: words.timing.now },
          { value: 'digest', label: words.timing.digest },
        ]}
        value={isDigest ? 'digest' : 'now'}
        onChange={(value) => change({ isDigest: value === 'digest' })}
      />
      {isDigest ? (
        <TextInput
          type="time"
          label={words.digestAt}
          value={draft.digestAt}
          onChange={(event) => change({ digestAt: event.currentTarget.value })}
        />
      ) : (
        <fieldset className="form bare" aria-label={words.quiet}>
          <strong>{words.quiet}</strong>
          <p className="quiet small">{words.quietAbout}</p>
          <Periods periods={quietHours} onChange={(changed) => change({ quietHours: changed })} />
        </fieldset>
      )}
      {(isDigest || quietHours.length > 0) && (
        <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
      )}
    </>
  )
}
