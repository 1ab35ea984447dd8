import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode, RefObject } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { CopyButton } from '../copy-button.tsx'
import { type Column, sortKey } from './columns.ts'

export interface RowOptions<T> {
  label: string
  idOf: (item: T) => string
  nameOf: (item: T) => string
  columns: Column<T>[]
  /** The row's link, or what opening it does. */
  to?: (item: T) => string
  onOpen?: (item: T) => void
  /** Shown at the end of each row. */
  actions?: (item: T) => ReactNode
}

interface Props<T> extends RowOptions<T> {
  table: RefObject<HTMLTableElement | null>
  items: T[]
  isBusy: boolean
  order: string
  isServerSorted: boolean
  onOrder: (order: string) => void
  chosen: ReadonlyMap<string, T>
  onToggle: (item: T, isRange: boolean) => void
  onChoose: (items: T[]) => void
}

export function ListTable<T>(props: Props<T>) {
  const { label, idOf, nameOf, columns, actions, table, items, isBusy, chosen, onToggle, onChoose } = props
  const { general, lists: texts } = useTexts()
  const isAll = items.length > 0 && items.every((item) => chosen.has(idOf(item)))
  return (
    <div className="table-box" aria-busy={isBusy}>
      <table ref={table} className="table" aria-label={label}>
        <thead>
          <tr>
            <th className="table-tick">
              <Checkbox
                size="xs"
                aria-label={texts.chooseAll}
                checked={isAll}
                indeterminate={chosen.size > 0 && !isAll}
                onChange={() => onChoose(isAll ? [] : items)}
              />
            </th>
            {columns.map((column) => (
              <Head key={column.label} column={column} {...props} />
            ))}
            <th>
              <span className="unseen">{general.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={idOf(item)} data-row={idOf(item)} data-chosen={chosen.has(idOf(item)) || undefined}>
              <td className="table-tick">
                <Checkbox
                  size="xs"
                  aria-label={texts.choose(nameOf(item))}
                  checked={chosen.has(idOf(item))}
                  onChange={({ nativeEvent }) => onToggle(item, isShiftClick(nativeEvent))}
                />
              </td>
              {columns.map((column, index) => (
                <td key={column.label} {...cellProps(column)} {...(index > 0 ? { 'data-label': column.label } : {})}>
                  {index === 0 ? <Name item={item} column={column} {...props} /> : column.show(item)}
                </td>
              ))}
              <td className="table-end">
                <span className="table-end-parts">
                  <CopyButton text={idOf(item)} label={texts.copyId(nameOf(item))} />
                  {actions?.(item)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether Shift was held, to select a range. */
export function isShiftClick(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey
}

function Name<T>({ item, column, to, onOpen }: { item: T; column: Column<T> } & Pick<Props<T>, 'to' | 'onOpen'>) {
  const content = column.show(item)
  if (to)
    return (
      <Link className="table-name" to={to(item)}>
        {content}
      </Link>
    )
  if (onOpen)
    return (
      <button type="button" className="table-name" onClick={() => onOpen(item)}>
        {content}
      </button>
    )
  return <span className="table-name">{content}</span>
}

type HeadProps<T> = { column: Column<T> } & Pick<Props<T>, 'order' | 'isServerSorted' | 'onOrder'>

function Head<T>({ column, order, isServerSorted, onOrder }: HeadProps<T>) {
  const name = sortKey(column, isServerSorted)
  if (!name) return <th {...cellProps(column)}>{column.label}</th>
  const isUp = order === name
  const isDown = order === `-${name}`
  return (
    <th {...cellProps(column)} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className="table-sort" onClick={() => onOrder(isUp ? `-${name}` : name)}>
        {column.label}
        <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}

function cellProps<T>({ isNumber, isExtra }: Column<T>) {
  return { 'data-number': isNumber || undefined, 'data-extra': isExtra || undefined }
}
