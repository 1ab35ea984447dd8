import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Icon, type IconName } from '../icon.tsx'

export interface RowAction {
  icon: IconName
  label: string
  onClick: () => void
  destroys?: boolean
}

/** The menu of a row. */
export function RowMenu({ name, actions, children }: { name: string; actions: RowAction[]; children?: ReactNode }) {
  const { general } = useTexts()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`${general.actions}: ${name}`}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ icon, label, onClick, destroys }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon name={icon} size={16} />}
            onClick={onClick}
            {...(destroys ? { color: 'red' } : {})}
          >
            {label}
          </Menu.Item>
        ))}
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
