import type { Availability } from '@docent/contract'
import { Switch } from '@mantine/core'
import { useMemo, useState } from 'react'
import { browserTimezone } from '../../text/time-zones.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import {
  arePeriodsValid,
  makePeriod,
  readPeriods,
  type WeeklyPeriod,
  writePeriods,
} from '../handover/handover-draft.ts'
import { Periods, Timezone } from '../handover/periods.tsx'
import { texts } from '../inbox/queue-texts.ts'
import { useAvailability } from './availability.tsx'

interface HoursDraft {
  hasHours: boolean
  timezone: string
  periods: WeeklyPeriod[]
}

/** When the user takes conversations in the current workspace; only for agents. */
export function useWorkingHours() {
  const { general } = useTexts()
  const [edited, setEdited] = useState<HoursDraft | null>(null)
  const { isAgent, availability, set, reset, isPending, error } = useAvailability({
    done: general.saved,
    onDone: () => setEdited(null),
  })
  const saved = availability?.hours ?? null
  const savedDraft = useMemo(() => readHours(saved), [saved])
  const draft = edited ?? savedDraft
  const { hasHours, timezone, periods } = draft
  const hours = hasHours ? { timezone, open: writePeriods(periods) } : null
  return {
    isAgent,
    isLoading: !availability,
    draft,
    change: (part: Partial<HoursDraft>) => setEdited({ ...draft, ...part }),
    form: {
      changed: edited !== null && JSON.stringify(hours) !== JSON.stringify(saved),
      valid: !hasHours || (periods.length > 0 && arePeriodsValid(periods)),
      pending: isPending,
      error,
      onSave: () => set({ hours }),
      onDiscard: () => {
        reset()
        setEdited(null)
      },
    },
  }
}

/** Without hours while it loads, as most have it, so that nothing moves then. */
function readHours(hours: Availability['hours']): HoursDraft {
  return {
    hasHours: hours !== null,
    timezone: hours?.timezone ?? browserTimezone(),
    periods: hours ? readPeriods(hours.open) : [makePeriod()],
  }
}

export function WorkingHours({ isAgent, isLoading, draft, change }: ReturnType<typeof useWorkingHours>) {
  return (
    isAgent && (
      <Card split title={texts.workingHours} about={texts.workingHoursAbout}>
        <Switch
          label={texts.hasWorkingHours}
          checked={draft.hasHours}
          disabled={isLoading}
          onChange={(event) => change({ hasHours: event.currentTarget.checked })}
        />
        {draft.hasHours && (
          <>
            <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
            <Periods periods={draft.periods} onChange={(periods) => change({ periods })} />
          </>
        )}
      </Card>
    )
  )
}
