// The selected items of a list, including ones that are not on the screen.
import { useEffect, useRef, useState } from 'react'

export function useSelection<T>(items: T[], idOf: (item: T) => string, listKey: string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  const before = useRef<string[]>([])
  const last = useRef('')
  const current = useRef(listKey)
  // A new search or filter clears the selection, so that nobody acts on items they cannot see.
  useEffect(() => {
    current.current = listKey
    last.current = ''
    setChosen(new Map())
  }, [listKey])
  useEffect(() => {
    const now = new Set(items.map(idOf))
    const gone = before.current.filter((id) => !now.has(id))
    before.current = [...now]
    if (gone.length > 0) setChosen((old) => new Map([...old].filter(([id]) => !gone.includes(id))))
  }, [items])
  return {
    chosen,
    /** Has no effect, like `finish`, once another list is shown. */
    choose: (chosenItems: T[]) => {
      if (current.current === listKey) setChosen(new Map(chosenItems.map((item) => [idOf(item), item])))
    },
    /** After an action: deselects the items done and updates those left. */
    finish: (items: T[], left: T[]) => {
      if (current.current !== listKey) return
      const kept = new Map(left.map((item) => [idOf(item), item]))
      const acted = new Set(items.map(idOf))
      setChosen((old) => {
        const remaining = [...old].filter(([id]) => !acted.has(id) || kept.has(id))
        return new Map(remaining.map(([id, item]) => [id, kept.get(id) ?? item]))
      })
    },
    /** With the shown items, selects the range from the last toggled item to this one. */
    toggle: (item: T, shown?: T[]) => {
      const [from, to] = [last.current, idOf(item)].map((id) => shown?.findIndex((each) => idOf(each) === id) ?? -1)
      last.current = idOf(item)
      if (shown && from !== undefined && to !== undefined && from >= 0 && to >= 0) {
        const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1)
        return setChosen((old) => new Map([...old, ...range.map((each) => [idOf(each), each] as const)]))
      }
      setChosen((old) => {
        const next = new Map(old)
        if (!next.delete(idOf(item))) next.set(idOf(item), item)
        return next
      })
    },
  }
}
