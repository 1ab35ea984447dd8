import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'

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
  const { lists: texts } = useTexts()
  const [running, setRunning] = useState('')
  const [readCount, setReadCount] = useState(0)
  const opener = useRef<Element | null>(null)
  // A dialog returns the focus to its button, which may still be disabled then.
  useEffect(() => {
    if (running !== '') return
    const focusedElement = document.activeElement
    const isLost = focusedElement === document.body || focusedElement?.closest('[role=dialog]')
    if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    opener.current = null
  }, [running])
  const runAction = async (name: string, work: () => Promise<void>) => {
    opener.current = document.activeElement
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
  return (
    <div className="list-chosen">
      <span role="status">{more ? texts.chosenLoaded(count) : texts.chosen(count)}</span>
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
      {bulk.map(({ label, run, destroys }) => (
        <Button
          key={label}
          size="compact-sm"
          variant={destroys ? 'light' : 'default'}
          {...(destroys ? { color: 'red' } : {})}
          loading={running === label}
          disabled={running !== '' && running !== label}
          onClick={() => runAction(label, async () => onFinish(items, await run(items)))}
        >
          {label}
        </Button>
      ))}
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
      <Button size="compact-sm" variant="subtle" disabled={running !== ''} onClick={() => onChoose([])}>
        {texts.clear}
      </Button>
    </div>
  )
}
