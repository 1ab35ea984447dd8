import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon, type IconName } from '../../../ui/icon.tsx'

interface Props {
  icon: IconName
  label: string
  about: string
  on: boolean
  onToggle: () => void
}

/** Turns a setting of this device on and off. */
export function ToggleButton({ icon, label, about, on, onToggle }: Props) {
  return (
    <Tooltip label={about} multiline w={240}>
      <ActionIcon
        variant={on ? 'light' : 'subtle'}
        color={on ? 'teal' : 'gray'}
        size="lg"
        aria-label={label}
        aria-pressed={on}
        onClick={onToggle}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )
}
