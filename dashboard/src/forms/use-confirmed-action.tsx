import type { RouteName } from '@docent/contract'
import type { RequestOptions } from '@docent/sdk'
import { type ReactNode, useState } from 'react'
import { useBulkMutation } from '../api.ts'
import { formatNumber } from '../text/format.ts'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Options<R extends RouteName, T> {
  toRequest: (item: T) => RequestOptions<R>
  done: string
  title: (items: T[]) => string
  about: (items: T[]) => ReactNode
  /** Label of the button. */
  action: string
  onDone?: () => void
}

interface Confirmation<T> {
  items: T[]
  isOpen: boolean
  answer: (remainingItems: T[]) => void
}

/**
 * A change to one or several items, with a confirmation first. After a failure, a retry acts on the remaining items.
 */
export function useConfirmedAction<R extends RouteName, T>(route: R, options: Options<R, T>) {
  const { toRequest, done, title, about, action, onDone } = options
  const { lists: texts } = useTexts()
  const acting = useBulkMutation<R, T>(route, { toRequest, done })
  const [confirmation, setConfirmation] = useState<Confirmation<T>>({ items: [], isOpen: false, answer: () => {} })
  const { items, isOpen } = confirmation
  const close = (remainingItems: T[]) => {
    confirmation.answer(remainingItems)
    setConfirmation({ ...confirmation, isOpen: false })
  }
  const confirm = async () => {
    const remainingItems = await acting.run(items)
    if (remainingItems.length > 0) return setConfirmation({ ...confirmation, items: remainingItems })
    close([])
    onDone?.()
  }
  return {
    /** Resolves with the items not done. */
    ask: (newItems: T[]) =>
      new Promise<T[]>((resolve) => setConfirmation({ items: newItems, isOpen: newItems.length > 0, answer: resolve })),
    dialog: (
      <ConfirmDialog
        opened={isOpen}
        title={title(items)}
        action={action}
        pending={acting.isPending}
        onClose={() => (acting.isPending ? acting.stop() : close(items))}
        onConfirm={() => void confirm()}
      >
        {about(items)}
        {acting.isPending && items.length > 1 && (
          <span className="quiet" role="status">
            {' '}
            {texts.progress(formatNumber(acting.count), formatNumber(acting.total))}
          </span>
        )}
      </ConfirmDialog>
    ),
  }
}
