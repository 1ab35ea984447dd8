// Keyboard shortcuts of lists: / focuses the search, j and k move between rows, x selects. Enter opens, as on any link.
import { type RefObject, useEffect, useRef } from 'react'

interface Keys {
  field: RefObject<HTMLInputElement | null>
  table: RefObject<HTMLTableElement | null>
  onChoose: (id: string) => void
}

export function useListKeys(keys: Keys) {
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
