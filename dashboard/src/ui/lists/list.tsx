import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError, LoadingRows } from '../loading.tsx'

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

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  title: ReactNode
  /** The whole row is a link, or a button. */
  to?: string
  onOpen?: () => void
  start?: ReactNode
  meta?: ReactNode[]
  end?: ReactNode
  children?: ReactNode
}

export function Row({ title, to, onOpen, start, meta = [], end, children }: RowProps) {
  const visibleMeta = meta.filter(Boolean)
  return (
    <li className="row">
      {start}
      <div className="row-text">
        <div className="row-title">
          {to ? (
            <Link to={to} className="row-link">
              {title}
            </Link>
          ) : onOpen ? (
            <button type="button" className="row-link row-title" onClick={onOpen}>
              {title}
            </button>
          ) : (
            title
          )}
        </div>
        {visibleMeta.length > 0 && (
          <div className="row-meta">
            {visibleMeta.map((each, index) => (
              <span key={index}>{each}</span>
            ))}
          </div>
        )}
        {children}
      </div>
      {end && <div className="row-end">{end}</div>}
    </li>
  )
}
