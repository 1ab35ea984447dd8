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
    const removedIds = before.current.filter((id) => !now.has(id))
    before.current = [...now]
    if (removedIds.length > 0) setChosen((old) => new Map([...old].filter(([id]) => !removedIds.includes(id))))
  }, [items])
  return {
    chosen,
    /** Has no effect, like `finish`, once another list is shown. */
    choose: (chosenItems: T[]) => {
      if (current.current === listKey) setChosen(new Map(chosenItems.map((item) => [idOf(item), item])))
    },
    /** After an action: deselects the items done and updates those left. */
    finish: (items: T[], remainingItems: T[]) => {
      if (current.current !== listKey) return
      const remainingById = new Map(remainingItems.map((item) => [idOf(item), item]))
      const actedIds = new Set(items.map(idOf))
      setChosen((old) => {
        const remainingEntries = [...old].filter(([id]) => !actedIds.has(id) || remainingById.has(id))
        return new Map(remainingEntries.map(([id, item]) => [id, remainingById.get(id) ?? item]))
      })
    },
    /** With the shown items, selects the range from the last toggled item to this one. */
    toggle: (item: T, visibleItems?: T[]) => {
      const [from, to] = [last.current, idOf(item)].map(
        (id) => visibleItems?.findIndex((each) => idOf(each) === id) ?? -1,
      )
      last.current = idOf(item)
      if (visibleItems && from !== undefined && to !== undefined && from >= 0 && to >= 0) {
        const range = visibleItems.slice(Math.min(from, to), Math.max(from, to) + 1)
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
