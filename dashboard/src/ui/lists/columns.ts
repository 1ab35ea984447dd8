// The columns of a list, and searching and sorting its loaded items.
import type { ReactNode } from 'react'

export interface Column<T> {
  label: string
  show: (item: T) => ReactNode
  /** For CSV, searching and sorting; without it, the column has none of these. */
  value?: (item: T) => string | number | null
  /** The server's name for sorting by this column. */
  sort?: string
  isNumber?: boolean
  /** Hidden on phones. */
  isExtra?: boolean
}

/** The sort key of a column, if it can be sorted. A leading minus means descending. */
export function sortKey<T>({ label, sort, value }: Column<T>, isServerSorted: boolean): string | undefined {
  return isServerSorted ? sort : value && label
}

export function filterItems<T>(items: T[], text: string, columns: Column<T>[], idOf: (item: T) => string): T[] {
  const searchText = text.trim().toLowerCase()
  if (searchText === '') return items
  const texts = (item: T) => [idOf(item), ...columns.map(({ value }) => String(value?.(item) ?? ''))]
  return items.filter((item) => texts(item).some((each) => each.toLowerCase().includes(searchText)))
}

export function sortItems<T>(items: T[], order: string, columns: Column<T>[]): T[] {
  const isDown = order.startsWith('-')
  const value = columns.find(({ label }) => label === (isDown ? order.slice(1) : order))?.value
  if (!value) return items
  const compare = (a: T, b: T) => {
    const [left, right] = [value(a) ?? '', value(b) ?? '']
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right), undefined, { numeric: true })
  }
  return items.toSorted((a, b) => (isDown ? compare(b, a) : compare(a, b)))
}
