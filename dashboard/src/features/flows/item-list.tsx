import { ActionIcon, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { texts } from './flow-texts.ts'

interface Props<Item extends { key: string }> {
  label: string
  items: Item[]
  max: number
  add: { label: string; make: () => Item }
  titleOf: (item: Item) => string
  onChange: (items: Item[]) => void
  children: (item: Item, change: (part: Partial<Item>) => void) => ReactNode
}

/** Items in the order in which visitors meet them. */
export function ItemList<Item extends { key: string }>(props: Props<Item>) {
  const { label, items, max, add, titleOf, onChange, children } = props
  const move = (from: number, to: number) => {
    const newOrder = [...items]
    newOrder.splice(to, 0, ...newOrder.splice(from, 1))
    onChange(newOrder)
  }
  return (
    <div className="stack tight">
      {items.length > 0 && (
        <ol className="stack tight" aria-label={label}>
          {items.map((item, index) => {
            const title = titleOf(item)
            const change = (part: Partial<Item>) =>
              onChange(items.map((each) => (each.key === item.key ? { ...each, ...part } : each)))
            return (
              <li key={item.key} className="boxed">
                <div className="boxed-head">
                  <strong>{title}</strong>
                  <div className="inline-tight">
                    <ItemButton
                      icon="up"
                      label={texts.up(title)}
                      disabled={index === 0}
                      onClick={() => move(index, index - 1)}
                    />
                    <ItemButton
                      icon="down"
                      label={texts.down(title)}
                      disabled={index === items.length - 1}
                      onClick={() => move(index, index + 1)}
                    />
                    <ItemButton
                      icon="trash"
                      label={texts.remove(title)}
                      onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
                    />
                  </div>
                </div>
                {children(item, change)}
              </li>
            )
          })}
        </ol>
      )}
      {items.length < max && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => onChange([...items, add.make()])}
          >
            {add.label}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ButtonProps {
  icon: 'up' | 'down' | 'trash'
  label: string
  disabled?: boolean
  onClick: () => void
}

function ItemButton({ icon, label, disabled = false, onClick }: ButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} size={18} />
    </ActionIcon>
  )
}
