import { Button } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { toast } from '../../forms/toast.tsx'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError, LoadingRows } from '../loading.tsx'
import { filterItems, sortItems } from './columns.ts'
import { ListBar } from './list-bar.tsx'
import { ListTable, type RowOptions } from './list-table.tsx'
import { type BulkAction, SelectionBar } from './selection-bar.tsx'
import { useSelection } from './use-selection.ts'

interface Props<T> extends RowOptions<T> {
  list: {
    /** Identifies the list with its search, filters and order. */
    key: string
    items: T[]
    isPending: boolean
    isPlaceholderData: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
    readAll: (onCount?: (count: number) => void) => Promise<T[]>
  }
  /** Set if the server searches or sorts. Otherwise this component does, once all rows are loaded. */
  search?: { q: string; onSearch: (q: string) => void }
  sort?: { order: string; onOrder: (order: string) => void }
  filters?: ReactNode
  isFiltered?: boolean
  /** The number of items without a search, if known. */
  total?: number | undefined
  /** Set if the server exports the whole list. A selection is still exported in the browser. */
  csvUrl?: string
  bulk?: BulkAction<T>[]
  empty: ReactNode
  /** Shown if nothing matches the search. */
  nothing?: string
}

/** A list with search, sorting, selection, CSV export and keyboard shortcuts. */
export function DataList<T>({
  list,
  search,
  sort,
  filters,
  isFiltered,
  total,
  csvUrl,
  bulk = [],
  empty,
  nothing,
  ...rows
}: Props<T>) {
  const { label, idOf, columns } = rows
  const texts = useTexts()
  const [text, setText] = useState('')
  const [ownOrder, setOwnOrder] = useState('')
  const [exporting, setExporting] = useState<number | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const wasShown = useRef(false)
  const { chosen, choose, finish, toggle } = useSelection(list.items, idOf, list.key)
  const q = search?.q ?? text
  const order = sort?.order ?? ownOrder
  const arrange = (items: T[]) => {
    const matchingItems = search ? items : filterItems(items, text, columns, idOf)
    return sort ? matchingItems : sortItems(matchingItems, ownOrder, columns)
  }
  const visibleItems = useMemo(() => arrange(list.items), [list.items, text, ownOrder, columns, search, sort])
  const hiddenItems = new Set(
    visibleItems.length < list.items.length ? list.items.filter((item) => !visibleItems.includes(item)) : [],
  )
  const pickedItems = [...chosen.values()].filter((item) => !hiddenItems.has(item))
  useListKeys({
    field,
    table,
    onChoose: (id) => {
      const item = visibleItems.find((each) => idOf(each) === id)
      if (item) toggle(item)
    },
  })
  // Searching and sorting in the browser needs all rows.
  const needsAll = (!search && (text !== '' || isFiltered === true)) || (!sort && ownOrder !== '')
  const isIncomplete = needsAll && list.hasNextPage && !list.error
  useEffect(() => {
    if (isIncomplete && !list.isFetchingNextPage) list.fetchNextPage()
  }, [isIncomplete, list.isFetchingNextPage, list.items])

  const isNarrowed = q !== '' || isFiltered === true
  const isEmpty = list.items.length === 0 && !list.error && !isNarrowed
  if (!wasShown.current && !isNarrowed) {
    if (list.isPending) return <LoadingRows />
    if (list.error && list.items.length === 0) return <LoadError error={list.error} onRetry={() => list.refetch()} />
    if (isEmpty && !filters) return empty
  }
  wasShown.current = true

  const exportRows = async () => {
    setExporting(0)
    try {
      const items = pickedItems.length > 0 ? pickedItems : arrange(await list.readAll(setExporting))
      const { downloadCsv } = await import('../../text/csv.ts')
      downloadCsv(label, [{ label: 'ID', value: idOf }, ...columns], items)
    } catch (error) {
      toast(explainError(error, texts), 'bad')
    } finally {
      setExporting(null)
    }
  }
  const isAllLoadedChosen = visibleItems.length > 0 && visibleItems.every((item) => chosen.has(idOf(item)))
  return (
    <div className="stack">
      <ListBar
        field={field}
        columns={columns}
        order={order}
        filters={filters}
        exporting={exporting}
        isServerSorted={sort !== undefined}
        onSearch={search?.onSearch ?? setText}
        onOrder={sort?.onOrder ?? setOwnOrder}
        {...(csvUrl ? { csvUrl } : {})}
        chosenCount={pickedItems.length}
        onExport={() => void exportRows()}
      />
      {pickedItems.length > 0 && (
        <SelectionBar
          items={pickedItems}
          bulk={bulk}
          more={list.hasNextPage && isAllLoadedChosen && pickedItems.length === visibleItems.length}
          total={isNarrowed ? undefined : total}
          readAll={async (onCount) => arrange(await list.readAll(onCount))}
          onChoose={choose}
          onFinish={finish}
        />
      )}
      {Boolean(list.error) && <LoadError error={list.error} onRetry={() => list.refetch()} />}
      {visibleItems.length > 0 ? (
        <ListTable
          {...rows}
          table={table}
          order={order}
          chosen={chosen}
          items={visibleItems}
          isBusy={list.isPlaceholderData || isIncomplete}
          isServerSorted={sort !== undefined}
          onOrder={sort?.onOrder ?? setOwnOrder}
          onToggle={(item, isRange) => toggle(item, isRange ? visibleItems : undefined)}
          onChoose={choose}
        />
      ) : list.isPending || list.isPlaceholderData || isIncomplete ? (
        <LoadingRows />
      ) : (
        !list.error && (isNarrowed ? <p className="quiet">{nothing ?? texts.lists.nothing}</p> : empty)
      )}
      {list.hasNextPage && !isIncomplete && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {texts.general.more}
        </Button>
      )}
    </div>
  )
}

interface Keys {
  field: RefObject<HTMLInputElement | null>
  table: RefObject<HTMLTableElement | null>
  onChoose: (id: string) => void
}

/**
 * Keyboard shortcuts of lists: / focuses the search, j and k move between rows, x selects. Enter opens, as on any link.
 */
function useListKeys(keys: Keys) {
  const now = useRef(keys)
  now.current = keys
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyped =
        event.target instanceof Element && event.target.closest('input:not([type=checkbox]),textarea,select')
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"]')) return
      const { field, table, onChoose } = now.current
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
      const focusedIndex = rows.findIndex((row) => row.contains(document.activeElement))
      if (event.key === '/') field.current?.focus()
      else if (event.key === 'j' || event.key === 'k')
        focusRow(rows[focusedIndex < 0 ? 0 : focusedIndex + (event.key === 'j' ? 1 : -1)])
      else if (event.key === 'x' && focusedIndex >= 0) onChoose(rows[focusedIndex]?.dataset.row ?? '')
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function focusRow(row: HTMLElement | undefined) {
  const target =
    row?.querySelector<HTMLElement>('a, button.table-name') ?? row?.querySelector<HTMLElement>('.table-name')
  if (!target) return
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus()
  row?.scrollIntoView({ block: 'nearest' })
}
