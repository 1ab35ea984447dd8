import type { Availability } from '@docent/contract'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { Form } from '../../forms/form.tsx'
import { browserTimezone } from '../../text/time-zones.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { arePeriodsValid, makePeriod, readPeriods, writePeriods } from '../handover/handover-draft.ts'
import { Periods, Timezone } from '../handover/periods.tsx'
import { texts } from '../inbox/queue-texts.ts'
import { useAvailability } from './use-availability.ts'

/** When the user takes conversations in the current workspace; only for agents. */
export function WorkingHours() {
  const { isAgent, availability } = useAvailability()
  return (
    isAgent && (
      <Card split title={texts.workingHours} about={texts.workingHoursAbout}>
        {/* Without hours while it loads, as most have it, so that nothing moves then. */}
        <HoursForm key={String(availability === null)} availability={availability} />
      </Card>
    )
  )
}

function HoursForm({ availability }: { availability: Availability | null }) {
  const { general } = useTexts()
  const { set, isPending, error } = useAvailability(general.saved)
  const hours = availability?.hours ?? null
  const [hasHours, setHasHours] = useState(hours !== null)
  const [timezone, setTimezone] = useState(hours?.timezone ?? browserTimezone())
  const [periods, setPeriods] = useState(() => (hours ? readPeriods(hours.open) : [makePeriod()]))
  const newHours = hasHours ? { timezone, open: writePeriods(periods) } : null
  const isUnchanged = JSON.stringify(newHours) === JSON.stringify(hours)
  return (
    <Form
      action={general.save}
      pending={isPending}
      error={error}
      disabled={isUnchanged || (hasHours && (periods.length === 0 || !arePeriodsValid(periods)))}
      onSubmit={() => set({ hours: newHours })}
    >
      <Switch
        label={texts.hasWorkingHours}
        checked={hasHours}
        disabled={!availability}
        onChange={(event) => setHasHours(event.currentTarget.checked)}
      />
      {hasHours && (
        <>
          <Timezone timezone={timezone} onChange={setTimezone} />
          <Periods periods={periods} onChange={setPeriods} />
        </>
      )}
    </Form>
  )
}
