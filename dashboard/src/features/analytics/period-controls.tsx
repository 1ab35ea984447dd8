import { Button, Popover, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { formatUtcDay } from '../../text/format.ts'
import { browserTimezone } from '../../text/time-zones.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { analytics as texts } from './insight-texts.ts'
import { type Period, presets, today } from './period.ts'

interface Props {
  period: Period
  /** The time zone of the bot's office hours. */
  officeTimezone: string | null
  onChange: (search: Record<string, string>) => void
}

export function PeriodControls({ period, officeTimezone, onChange }: Props) {
  const { preset, from, to, timezone } = period
  const zone = timezone === browserTimezone() ? {} : { tz: timezone }
  const days = preset === 'custom' ? { from, to } : { range: preset }
  return (
    <>
      <SegmentedControl
        aria-label={texts.range}
        value={preset}
        onChange={(value) => onChange({ range: value, ...zone })}
        data={Object.keys(presets).map((value) => ({ value, label: texts.ranges[value as keyof typeof presets] }))}
      />
      <CustomRange period={period} onApply={(custom) => onChange({ ...custom, ...zone })} />
      <Select
        aria-label={texts.timezone}
        className="timezone"
        searchable
        data={[...new Set([browserTimezone(), officeTimezone ?? 'UTC', 'UTC', timezone, ...timezones()])].map(
          (value) => ({
            value,
            label: value === browserTimezone() ? texts.browserZone(value) : value.replaceAll('_', ' '),
          }),
        )}
        value={timezone}
        leftSection={<Icon name="globe" size={16} />}
        allowDeselect={false}
        onChange={(value) => value && onChange({ ...days, ...(value === browserTimezone() ? {} : { tz: value }) })}
      />
    </>
  )
}

function CustomRange({ period, onApply }: { period: Period; onApply: (range: { from: string; to: string }) => void }) {
  const { general } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [from, setFrom] = useState(period.from)
  const [to, setTo] = useState(period.to)
  const isCustom = period.preset === 'custom'
  const open = () => {
    setFrom(period.from)
    setTo(period.to)
    setOpen(true)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant={isCustom ? 'light' : 'default'} onClick={() => (isOpen ? setOpen(false) : open())}>
          {isCustom ? `${formatUtcDay(period.from)} – ${formatUtcDay(period.to)}` : texts.custom}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.custom}>
        <form
          className="stack tight"
          onSubmit={(event) => {
            event.preventDefault()
            setOpen(false)
            onApply({ from, to })
          }}
        >
          <Day label={texts.from} value={from} max={to} onChange={setFrom} />
          <Day label={texts.to} value={to} min={from} max={today(period.timezone)} onChange={setTo} />
          <Button type="submit" disabled={!from || !to || from > to}>
            {general.apply}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

interface DayProps {
  label: string
  value: string
  min?: string
  max?: string
  onChange: (day: string) => void
}

function Day({ label, onChange, ...rest }: DayProps) {
  return (
    <label className="day-field">
      <span className="field-label">{label}</span>
      <input type="date" required {...rest} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}

function timezones(): string[] {
  return Intl.supportedValuesOf('timeZone')
}
