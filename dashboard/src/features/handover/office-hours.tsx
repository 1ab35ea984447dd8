import { ActionIcon, Button, Chip, Select, Switch, TextInput } from '@mantine/core'
import { useMessages } from '../../messages/messages.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type HandoverDraft, newOpening, type Opening } from './handover-draft.ts'

const MOST_OPENINGS = 14
const MIDNIGHT = '24:00'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

export function OfficeHours({ draft, change }: Props) {
  const { handover: words } = useMessages()
  const { openings } = draft
  const replace = (changed: Opening) =>
    change({ openings: openings.map((each) => (each.key === changed.key ? changed : each)) })
  return (
    <>
      <Switch
        label={words.within}
        checked={draft.hasHours}
        onChange={(event) => change({ hasHours: event.currentTarget.checked })}
      />
      {draft.hasHours && (
        <>
          <Select
            label={words.timezone}
            searchable
            limit={80}
            data={timezones(draft.timezone)}
            value={draft.timezone}
            onChange={(timezone) => timezone && change({ timezone })}
          />
          {openings.length === 0 && <Notice tone="warn">{words.noHours}</Notice>}
          {openings.map((opening, index) => (
            <Hours
              key={opening.key}
              index={index + 1}
              opening={opening}
              onChange={replace}
              onRemove={() => change({ openings: openings.filter(({ key }) => key !== opening.key) })}
            />
          ))}
          {openings.length < MOST_OPENINGS && (
            <div>
              <Button
                variant="default"
                leftSection={<Icon name="plus" size={16} />}
                onClick={() => change({ openings: [...openings, newOpening()] })}
              >
                {words.addHours}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  )
}

interface HoursProps {
  index: number
  opening: Opening
  onChange: (opening: Opening) => void
  onRemove: () => void
}

function Hours({ index, opening, onChange, onRemove }: HoursProps) {
  const { handover: words } = useMessages()
  const { days, from, to } = opening
  return (
    <fieldset className="boxed bare-fieldset" aria-label={words.hoursOf(index)}>
      <div className="boxed-head">
        <Chip.Group
          multiple
          value={days}
          onChange={(chosen) => onChange({ ...opening, days: weekdays.filter((day) => chosen.includes(day)) })}
        >
          <div className="chips">
            {weekdays.map((day) => (
              <Chip key={day} value={day} size="xs">
                {words.days[day]}
              </Chip>
            ))}
          </div>
        </Chip.Group>
        <ActionIcon variant="subtle" color="gray" aria-label={words.removeHours(index)} onClick={onRemove}>
          <Icon name="trash" size={18} />
        </ActionIcon>
      </div>
      <div className="pair">
        <TextInput
          type="time"
          label={words.from}
          value={from}
          onChange={(event) => onChange({ ...opening, from: event.currentTarget.value })}
        />
        {/* The end of a day is 24:00 on the wire and 00:00 in a browser's field. */}
        <TextInput
          type="time"
          label={words.to}
          value={to === MIDNIGHT ? '00:00' : to}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...opening, to: value === '00:00' ? MIDNIGHT : value })
          }
        />
      </div>
      {days.length === 0 && <Notice tone="bad">{words.noDays}</Notice>}
      {from !== '' && to !== '' && to <= from && <p className="quiet small">{words.overnight}</p>}
    </fieldset>
  )
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

function timezones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
}
