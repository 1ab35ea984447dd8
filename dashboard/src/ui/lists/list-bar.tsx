import { Button, Select, TextInput } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../icon.tsx'
import { type Column, sortKey } from './columns.ts'

const MAX_SEARCH_CHARS = 200
const DEBOUNCE_MS = 250

interface Props<T> {
  field: RefObject<HTMLInputElement | null>
  onSearch: (text: string) => void
  columns: Column<T>[]
  order: string
  isServerSorted: boolean
  onOrder: (order: string) => void
  filters: ReactNode
  /** Rows loaded so far for the export; null if none is running. */
  exporting: number | null
  csvUrl?: string
  chosenCount: number
  onExport: () => void
}

export function ListBar<T>(props: Props<T>) {
  const {
    field,
    onSearch,
    columns,
    order,
    isServerSorted,
    onOrder,
    filters,
    exporting,
    csvUrl,
    chosenCount,
    onExport,
  } = props
  const { lists: texts } = useTexts()
  // Links can open a list with a search.
  const { q: start = '' } = useSearch({ strict: false }) as { q?: string }
  const [text, setText] = useState(String(start))
  useEffect(() => {
    if (start) setText(String(start))
  }, [start])
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim()), text === '' ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const orders = columns.flatMap((column) => {
    const name = sortKey(column, isServerSorted)
    if (!name) return []
    return [
      { value: name, label: `${column.label} ↑` },
      { value: `-${name}`, label: `${column.label} ↓` },
    ]
  })
  const icon = <Icon name="download" size={16} />
  return (
    <div className="list-bar">
      <TextInput
        ref={field}
        className="list-search"
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<Icon name="search" size={16} />}
        type="search"
        maxLength={MAX_SEARCH_CHARS}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {filters}
      {orders.length > 0 && (
        <Select
          className="list-order"
          aria-label={texts.sort}
          placeholder={texts.sort}
          data={orders}
          value={orders.some(({ value }) => value === order) ? order : null}
          onChange={(value) => value && onOrder(value)}
        />
      )}
      {csvUrl && chosenCount === 0 ? (
        <Button className="list-csv" variant="default" leftSection={icon} component="a" href={csvUrl} download>
          {texts.csv}
        </Button>
      ) : (
        <Button
          className="list-csv"
          variant="default"
          leftSection={icon}
          disabled={exporting !== null}
          aria-busy={exporting !== null}
          onClick={onExport}
        >
          {exporting
            ? texts.reading(formatNumber(exporting))
            : chosenCount > 0
              ? texts.csvOf(formatNumber(chosenCount))
              : texts.csv}
        </Button>
      )}
    </div>
  )
}
