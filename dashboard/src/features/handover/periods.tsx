import { PERIODS } from '@docent/contract/limits'
import { ActionIcon, Button, Chip, Select, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { makePeriod, type WeeklyPeriod } from './handover-draft.ts'

const MIDNIGHT = '24:00'

interface Props {
  periods: WeeklyPeriod[]
  onChange: (periods: WeeklyPeriod[]) => void
}

/** Weekly hours: days with start and end times. */
export function Periods({ periods, onChange }: Props) {
  const { handover: texts } = useTexts()
  const replace = (changedPeriod: WeeklyPeriod) =>
    onChange(periods.map((each) => (each.key === changedPeriod.key ? changedPeriod : each)))
  return (
    <>
      {periods.map((period, index) => (
        <PeriodFields
          key={period.key}
          index={index + 1}
          opening={period}
          onChange={replace}
          onRemove={() => onChange(periods.filter(({ key }) => key !== period.key))}
        />
      ))}
      {periods.length < PERIODS && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => onChange([...periods, makePeriod()])}
          >
            {texts.addHours}
          </Button>
        </div>
      )}
    </>
  )
}

export function Timezone({ timezone, onChange }: { timezone: string; onChange: (timezone: string) => void }) {
  const { handover: texts } = useTexts()
  return (
    <Select
      label={texts.timezone}
      searchable
      limit={80}
      data={[...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
      value={timezone}
      onChange={(choice) => choice && onChange(choice)}
    />
  )
}

interface PeriodFieldsProps {
  index: number
  opening: WeeklyPeriod
  onChange: (opening: WeeklyPeriod) => void
  onRemove: () => void
}

function PeriodFields({ index, opening, onChange, onRemove }: PeriodFieldsProps) {
  const { handover: texts } = useTexts()
  const { days, from, to } = opening
  return (
    <fieldset className="boxed bare-fieldset" aria-label={texts.hoursOf(index)}>
      <div className="boxed-head">
        <Chip.Group
          multiple
          value={days}
          onChange={(chosenDays) => onChange({ ...opening, days: WEEKDAYS.filter((day) => chosenDays.includes(day)) })}
        >
          <div className="chips">
            {WEEKDAYS.map((day) => (
              <Chip key={day} value={day} size="xs">
                {texts.days[day]}
              </Chip>
            ))}
          </div>
        </Chip.Group>
        <ActionIcon variant="subtle" color="gray" aria-label={texts.removeHours(index)} onClick={onRemove}>
          <Icon name="trash" size={18} />
        </ActionIcon>
      </div>
      <div className="pair">
        <TextInput
          type="time"
          label={texts.from}
          value={from}
          onChange={(event) => onChange({ ...opening, from: event.currentTarget.value })}
        />
        {/* The end of a day is 24:00 in the API but 00:00 in a time field. */}
        <TextInput
          type="time"
          label={texts.to}
          value={to === MIDNIGHT ? '00:00' : to}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...opening, to: value === '00:00' ? MIDNIGHT : value })
          }
        />
      </div>
      {days.length === 0 && <Notice tone="bad">{texts.noDays}</Notice>}
      {from !== '' && to !== '' && to <= from && <p className="quiet small">{texts.overnight}</p>}
    </fieldset>
  )
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
