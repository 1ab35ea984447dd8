// Which items of a list are chosen: among those on the screen, and all others that match.
import { useEffect, useRef, useState } from 'react'

export function useSelection<T>(items: T[], idOf: (item: T) => string, listKey: string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map())
  const before = useRef<string[]>([])
  // Another search or filter is another list: nobody acts on what they do not see.
  useEffect(() => setChosen(new Map()), [listKey])
  useEffect(() => {
    const now = new Set(items.map(idOf))
    const gone = before.current.filter((id) => !now.has(id))
    before.current = [...now]
    if (gone.length > 0) setChosen((old) => new Map([...old].filter(([id]) => !gone.includes(id))))
  }, [items])
  return {
    chosen,
    choose: (chosenItems: T[]) => setChosen(new Map(chosenItems.map((item) => [idOf(item), item]))),
    toggle: (item: T) =>
      setChosen((old) => {
        const next = new Map(old)
        if (!next.delete(idOf(item))) next.set(idOf(item), item)
        return next
      }),
  }
}
