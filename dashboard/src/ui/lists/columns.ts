// What a list shows of each item, and how what is loaded is searched and sorted here.
import type { ReactNode } from 'react'

export interface Column<T> {
  label: string
  show: (item: T) => ReactNode
  /** For CSV, and for searching and sorting here; left out: neither. */
  value?: (item: T) => string | number | null
  /** The server's name of this order, where the server sorts. */
  sort?: string
  /** Right-aligned, as numbers are. */
  isNumber?: boolean
  /** Left out on phones. */
  isExtra?: boolean
}

/** The name of a column's order, if the list can have it; with a minus in front it goes down. */
export function orderOf<T>({ label, sort, value }: Column<T>, isServerSorted: boolean): string | undefined {
  return isServerSorted ? sort : value && label
}

export function found<T>(items: T[], text: string, columns: Column<T>[], idOf: (item: T) => string): T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return items
  const texts = (item: T) => [idOf(item), ...columns.map(({ value }) => String(value?.(item) ?? ''))]
  return items.filter((item) => texts(item).some((each) => each.toLowerCase().includes(wanted)))
}

export function sorted<T>(items: T[], order: string, columns: Column<T>[]): T[] {
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
