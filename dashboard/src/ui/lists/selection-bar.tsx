import { ActionIcon, Button, Menu } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../icon.tsx'

interface Progress {
  isPending: boolean
  count: number
  total: number
  stop: () => void
}

export interface BulkAction<T> {
  label: string
  /** Resolves with the items not done, which stay selected. */
  run: (items: T[]) => Promise<T[]>
  /** For actions that run item by item and can be stopped. */
  progress?: Progress
  destroys?: boolean
  /** In a menu at the end, where the bar is narrow. */
  isInMenu?: boolean
}

interface Props<T> {
  items: T[]
  bulk: BulkAction<T>[]
  /** All rows on the screen are selected, and more can be loaded. */
  more: boolean
  /** The number of all items, if known. */
  total: number | undefined
  readAll: (onCount: (count: number) => void) => Promise<T[]>
  onChoose: (items: T[]) => void
  onFinish: (items: T[], remainingItems: T[]) => void
}

/** The selected items of a list, with bulk actions. */
export function SelectionBar<T>({ items, bulk, more, total, readAll, onChoose, onFinish }: Props<T>) {
  const { lists: texts, general } = useTexts()
  const [running, setRunning] = useState('')
  const [readCount, setReadCount] = useState(0)
  const opener = useRef<Element | null>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  // A dialog returns the focus to its button, which may still be disabled then.
  useEffect(() => {
    if (running !== '') return
    const focusedElement = document.activeElement
    const isLost = focusedElement === document.body || focusedElement?.closest('[role=dialog]')
    if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    opener.current = null
  }, [running])
  const runAction = async (name: string, work: () => Promise<void>) => {
    const focusedElement = document.activeElement
    opener.current = focusedElement?.closest('[role=menu]') ? menuButton.current : focusedElement
    setRunning(name)
    try {
      await work()
    } finally {
      setRunning('')
      setReadCount(0)
    }
  }
  const count = formatNumber(items.length)
  const progress = bulk.find((each) => each.progress?.isPending)?.progress
  const menu = bulk.filter(({ isInMenu }) => isInMenu)
  const isNarrow = menu.length > 0
  const runBulk = ({ label, run }: BulkAction<T>) => runAction(label, async () => onFinish(items, await run(items)))
  return (
    <div className="list-chosen">
      {isNarrow && !more && (
        <strong aria-hidden="true" title={texts.chosen(count)}>
          {count}
        </strong>
      )}
      <span role="status" className={isNarrow && !more ? 'unseen' : ''}>
        {more ? texts.chosenLoaded(count) : texts.chosen(count)}
      </span>
      {more && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={running !== ''}
          onClick={() => runAction('all', async () => onChoose(await readAll(setReadCount)))}
        >
          {readCount > 0
            ? texts.reading(formatNumber(readCount))
            : total
              ? texts.takeAll(formatNumber(total))
              : texts.takeRest}
        </Button>
      )}
      {bulk
        .filter(({ isInMenu }) => !isInMenu)
        .map((action) => (
          <Button
            key={action.label}
            size="compact-sm"
            variant={action.destroys ? 'light' : 'default'}
            {...(action.destroys ? { color: 'red' } : {})}
            loading={running === action.label}
            disabled={running !== '' && running !== action.label}
            onClick={() => runBulk(action)}
          >
            {action.label}
          </Button>
        ))}
      {isNarrow && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              ref={menuButton}
              variant="default"
              aria-label={general.actions}
              loading={menu.some(({ label }) => label === running)}
              disabled={running !== ''}
            >
              <Icon name="more" size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {menu.map((action) => (
              <Menu.Item
                key={action.label}
                {...(action.destroys ? { color: 'red' } : {})}
                onClick={() => runBulk(action)}
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {progress && progress.total > 1 && (
        <>
          <span className="quiet" role="status">
            {texts.progress(formatNumber(progress.count), formatNumber(progress.total))}
          </span>
          <Button size="compact-sm" variant="default" onClick={progress.stop}>
            {texts.stop}
          </Button>
        </>
      )}
      {isNarrow ? (
        <ActionIcon
          className="list-clear"
          variant="subtle"
          color="gray"
          aria-label={texts.clear}
          title={texts.clear}
          disabled={running !== ''}
          onClick={() => onChoose([])}
        >
          <Icon name="close" size={16} />
        </ActionIcon>
      ) : (
        <Button size="compact-sm" variant="subtle" disabled={running !== ''} onClick={() => onChoose([])}>
          {texts.clear}
        </Button>
      )}
    </div>
  )
}
