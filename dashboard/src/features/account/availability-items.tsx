import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icon.tsx'
import { texts } from '../inbox/queue-texts.ts'
import { useAvailability } from './use-availability.ts'

/** In the account menu: whether the user takes conversations now. */
export function AvailabilityItems() {
  const { isAgent, availability, set } = useAvailability()
  if (!isAgent) return null
  return (
    <>
      <Menu.Label>{texts.availability}</Menu.Label>
      {(['online', 'away'] as const).map((status) => (
        <Menu.Item
          key={status}
          {...(availability?.status === status ? { 'aria-current': true } : {})}
          leftSection={
            availability?.status === status ? <Icon name="check" size={16} /> : <span className="unticked" />
          }
          disabled={!availability}
          closeMenuOnClick={false}
          onClick={() => set({ status })}
        >
          {texts[status]}
        </Menu.Item>
      ))}
      <Menu.Item component={Link} to="/account" leftSection={<Icon name="snooze" size={16} />}>
        {texts.workingHours}
      </Menu.Item>
    </>
  )
}

/** Before the name of the workspace, so that nobody forgets it. */
export function AwayMark() {
  const { availability } = useAvailability()
  return availability?.status === 'away' && `${texts.away} · `
}
