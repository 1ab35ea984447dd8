import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError } from '../load-error.tsx'
import { LoadingRows } from '../loading.tsx'
import { Rows } from './rows.tsx'

interface Props<T> {
  label: string
  list: {
    items: T[]
    isPending: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
  }
  empty: ReactNode
  children: (item: T) => ReactNode
}

/** A paged list in any state: loading, failed, empty, or with rows. */
export function List<T>({ label, list, empty, children }: Props<T>) {
  const { general } = useTexts()
  if (list.isPending) return <LoadingRows />
  if (list.error) return <LoadError error={list.error} onRetry={() => list.refetch()} />
  if (list.items.length === 0) return empty
  return (
    <div className="stack">
      <Rows label={label}>{list.items.map(children)}</Rows>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {general.more}
        </Button>
      )}
    </div>
  )
}
