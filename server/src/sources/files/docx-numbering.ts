// Which paragraphs of a Word document are list items, and how they are numbered.
import { parseXml } from './parse-xml.ts'

export interface ListLevel {
  isOrdered: boolean
  start: number
}

/** List (`numId`) → level → format of its items. */
export type Numbering = Map<string, Map<number, ListLevel>>

const unnumbered = new Set(['bullet', 'none'])

export function readNumbering(xml: string, maxDepth: number): Numbering {
  const abstract = new Map<string, Map<number, ListLevel>>()
  const lists: Numbering = new Map()
  let abstractId = ''
  let listId = ''
  let level: ListLevel = { isOrdered: false, start: 1 }
  let overridden = -1

  const opens: Record<string, (attributes: Record<string, string>) => void> = {
    'w:abstractNum': (attributes) => {
      abstractId = attributes['w:abstractNumId'] ?? ''
      abstract.set(abstractId, new Map())
    },
    'w:lvl': (attributes) => {
      level = { isOrdered: true, start: 1 }
      if (overridden < 0) abstract.get(abstractId)?.set(Number(attributes['w:ilvl'] ?? 0), level)
    },
    'w:start': (attributes) => {
      level.start = Number(attributes['w:val']) || 0
    },
    'w:numFmt': (attributes) => {
      level.isOrdered = !unnumbered.has(attributes['w:val'] ?? '')
    },
    'w:num': (attributes) => {
      listId = attributes['w:numId'] ?? ''
    },
    'w:abstractNumId': (attributes) => {
      const levels = abstract.get(attributes['w:val'] ?? '') ?? new Map<number, ListLevel>()
      lists.set(listId, new Map([...levels].map(([depth, one]) => [depth, { ...one }])))
    },
    'w:lvlOverride': (attributes) => {
      overridden = Number(attributes['w:ilvl'] ?? 0)
    },
    'w:startOverride': (attributes) => {
      const own = lists.get(listId)?.get(overridden)
      if (own) own.start = Number(attributes['w:val']) || 0
    },
  }
  parseXml(xml, maxDepth, {
    open: (name, attributes) => opens[name]?.(attributes),
    close(name) {
      if (name === 'w:lvlOverride') overridden = -1
    },
  })
  return lists
}

/** Numbers list items: a list continues where it stopped, and an item restarts the levels below it. */
export function createItemCounter(numbering: Numbering) {
  const counts = new Map<string, number[]>()
  /** Null for an item without a number. */
  return (listId: string, depth: number): number | null => {
    const levels = numbering.get(listId)
    const own = counts.get(listId) ?? []
    counts.set(listId, own)
    own.length = Math.min(own.length, depth + 1)
    own[depth] = (own[depth] ?? (levels?.get(depth)?.start ?? 1) - 1) + 1
    return levels?.get(depth)?.isOrdered ? own[depth] : null
  }
}
