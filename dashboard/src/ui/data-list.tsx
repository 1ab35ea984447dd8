import { Button, Checkbox, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useMessages } from '../messages/messages.tsx'
import { downloadCsv } from '../text/csv.ts'
import { Failed } from './failed.tsx'
import { Icon } from './icon.tsx'
import { LoadingRows } from './loading.tsx'
import { useListKeys } from './use-list-keys.ts'

export interface Column<T> {
  label: string
  show: (item: T) => ReactNode
  /** For CSV and for sorting; left out: neither. */
  value?: (item: T) => string | number | null
  /** Right-aligned, as numbers are. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
}

export interface BulkAction<T> {
  label: string
  /** Done one after the other, or at once. */
  run: (items: T[]) => void
  isPending?: boolean
  destroys?: boolean
}

interface Props<T> {
  label: string
  list: {
    items: T[]
    isPending: boolean
    isFetching?: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
  }
  idOf: (item: T) => string
  nameOf: (item: T) => string
  columns: Column<T>[]
  /** Where a row leads, or what opening it does. */
  to?: (item: T) => string
  onOpen?: (item: T) => void
  /** What the server searches; left out: what is loaded is searched here. */
  search?: { value: string; onChange: (value: string) => void }
  filters?: ReactNode
  bulk?: BulkAction<T>[]
  /** At the end of a row. */
  actions?: (item: T) => ReactNode
  empty: ReactNode
}

/** A list with search, sorting, selection, CSV and control by keys: the same for everything that is listed. */
export function DataList<T>(props: Props<T>) {
  const { label, list, idOf, nameOf, columns, to, onOpen, search, filters, bulk = [], actions, empty } = props
  const { general, lists: words } = useMessages()
  const [text, setText] = useState('')
  const [sort, setSort] = useState<{ column: string; isDown: boolean } | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const field = useRef<HTMLInputElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const shown = useMemo(
    () => sorted(search ? list.items : found(list.items, text, columns), sort, columns),
    [list.items, text, sort, columns, search],
  )
  const picked = shown.filter((item) => chosen.has(idOf(item)))
  const choose = (id: string) => setChosen(toggled(chosen, id))
  useListKeys({ field, table, ...(bulk.length > 0 ? { onChoose: choose } : {}) })
  const isSearched = (search?.value ?? text) !== ''
  if (list.isPending && !isSearched) return <LoadingRows />
  if (list.error) return <Failed error={list.error} onRetry={() => list.refetch()} />
  if (list.items.length === 0 && !isSearched && !filters) return empty
  const isAll = picked.length === shown.length && shown.length > 0
  return (
    <div className="stack">
      <div className="list-bar">
        <TextInput
          ref={field}
          className="list-search"
          aria-label={words.search}
          placeholder={words.search}
          type="search"
          value={search?.value ?? text}
          onChange={(event) => (search?.onChange ?? setText)(event.currentTarget.value)}
        />
        {filters}
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          disabled={shown.length === 0}
          onClick={() => downloadCsv(label, columns, picked.length > 0 ? picked : shown)}
        >
          {words.csv}
        </Button>
      </div>
      {picked.length > 0 && (
        <div className="list-chosen" role="status">
          <span>{words.chosen(picked.length)}</span>
          {bulk.map(({ label: name, run, isPending, destroys }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              loading={isPending ?? false}
              {...(destroys ? { color: 'red', variant: 'light' } : {})}
              onClick={() => {
                run(picked)
                setChosen(new Set())
              }}
            >
              {name}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
            {words.clear}
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        list.isPending ? (
          <LoadingRows />
        ) : isSearched ? (
          <p className="quiet">{words.nothing}</p>
        ) : (
          empty
        )
      ) : (
        <div className="table-box">
          <table ref={table} className="table" aria-label={label}>
            <thead>
              <tr>
                {bulk.length > 0 && (
                  <th className="table-tick">
                    <Checkbox
                      size="xs"
                      aria-label={words.chooseAll}
                      checked={isAll}
                      indeterminate={picked.length > 0 && !isAll}
                      onChange={() => setChosen(new Set(isAll ? [] : shown.map(idOf)))}
                    />
                  </th>
                )}
                {columns.map((column) => (
                  <Head key={column.label} column={column} sort={sort} onSort={setSort} />
                ))}
                {actions && (
                  <th>
                    <span className="unseen">{general.actions}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map((item) => (
                <tr key={idOf(item)} data-row={idOf(item)} data-chosen={chosen.has(idOf(item)) || undefined}>
                  {bulk.length > 0 && (
                    <td className="table-tick">
                      <Checkbox
                        size="xs"
                        aria-label={words.choose(nameOf(item))}
                        checked={chosen.has(idOf(item))}
                        onChange={() => choose(idOf(item))}
                      />
                    </td>
                  )}
                  {columns.map((column, index) => (
                    <td key={column.label} {...cellProps(column)}>
                      {index > 0 ? (
                        column.show(item)
                      ) : to ? (
                        <Link className="table-name" to={to(item)}>
                          {column.show(item)}
                        </Link>
                      ) : onOpen ? (
                        <button type="button" className="table-name" onClick={() => onOpen(item)}>
                          {column.show(item)}
                        </button>
                      ) : (
                        <span className="table-name">{column.show(item)}</span>
                      )}
                    </td>
                  ))}
                  {actions && <td className="table-end">{actions(item)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {general.more}
        </Button>
      )}
    </div>
  )
}

type Sort = { column: string; isDown: boolean } | null

function Head<T>({ column, sort, onSort }: { column: Column<T>; sort: Sort; onSort: (sort: Sort) => void }) {
  const { label, value } = column
  const isOwn = sort?.column === label
  if (!value) return <th {...cellProps(column)}>{label}</th>
  const next = !isOwn ? { column: label, isDown: false } : sort.isDown ? null : { column: label, isDown: true }
  return (
    <th {...cellProps(column)} aria-sort={isOwn ? (sort.isDown ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className="table-sort" onClick={() => onSort(next)}>
        {label}
        <span aria-hidden="true">{isOwn ? (sort.isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}

function cellProps<T>({ isNumber, isExtra }: Column<T>) {
  return { 'data-number': isNumber || undefined, 'data-extra': isExtra || undefined }
}

function found<T>(items: T[], text: string, columns: Column<T>[]): T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return items
  const texts = (item: T) => columns.map(({ value }) => String(value?.(item) ?? '').toLowerCase())
  return items.filter((item) => texts(item).some((each) => each.includes(wanted)))
}

function sorted<T>(items: T[], sort: Sort, columns: Column<T>[]): T[] {
  const value = columns.find(({ label }) => label === sort?.column)?.value
  if (!sort || !value) return items
  const compare = (a: T, b: T) => {
    const [left, right] = [value(a) ?? '', value(b) ?? '']
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right), undefined, { numeric: true })
  }
  return items.toSorted((a, b) => (sort.isDown ? compare(b, a) : compare(a, b)))
}

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen)
  if (!next.delete(id)) next.add(id)
  return next
}
