import type { RouteName } from '@docent/contract'
import type { RequestOptions } from '@docent/sdk'
import { type ReactNode, useState } from 'react'
import { useActOnAll } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { formatNumber } from '../text/format.ts'
import { Confirm } from './confirm.tsx'

interface Options<R extends RouteName, T> {
  of: (item: T) => RequestOptions<R>
  done: string
  title: (items: T[]) => string
  about: (items: T[]) => ReactNode
  /** Label of the button. */
  action: string
  onDone?: () => void
}

interface Asked<T> {
  items: T[]
  isOpen: boolean
  answer: (left: T[]) => void
}

/**
 * A change to one or several items, with a confirmation first. After a failure, a retry acts on the remaining items.
 */
export function useConfirmed<R extends RouteName, T>(route: R, options: Options<R, T>) {
  const { of, done, title, about, action, onDone } = options
  const { lists: words } = useMessages()
  const acting = useActOnAll<R, T>(route, { of, done })
  const [asked, setAsked] = useState<Asked<T>>({ items: [], isOpen: false, answer: () => {} })
  const { items, isOpen } = asked
  const close = (left: T[]) => {
    asked.answer(left)
    setAsked({ ...asked, isOpen: false })
  }
  const confirm = async () => {
    const left = await acting.run(items)
    if (left.length > 0) return setAsked({ ...asked, items: left })
    close([])
    onDone?.()
  }
  return {
    /** Resolves with the items not done. */
    ask: (wanted: T[]) =>
      new Promise<T[]>((resolve) => setAsked({ items: wanted, isOpen: wanted.length > 0, answer: resolve })),
    dialog: (
      <Confirm
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
            {words.progress(formatNumber(acting.count), formatNumber(acting.total))}
          </span>
        )}
      </Confirm>
    ),
  }
}
