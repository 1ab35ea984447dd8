// Which paragraphs of a Word document are list items, and how they are numbered. Programs write the same list in
// different ways: on the paragraph, on its style, through a list style, in any order.
import { parseXml } from '../extraction/parse-xml.ts'

type Attributes = Record<string, string>

const WORD_NAMESPACES = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
])
const DEEPEST_LIST = 8
// Longer chains of styles, or circles, end here.
const LONGEST_CHAIN = 20
const UNNUMBERED = new Set(['bullet', 'none'])

interface WordHandlers {
  open: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/** Gives elements and attributes the usual prefix "w:", whatever prefix the program chose for them. */
export function parseWordXml(xml: string, maxDepth: number, { open, close, text }: WordHandlers) {
  const prefixes = new Set(['w'])
  const usual = (name: string) => {
    const at = name.indexOf(':')
    return prefixes.has(name.slice(0, Math.max(at, 0))) ? `w:${name.slice(at + 1)}` : name
  }
  parseXml(xml, maxDepth, {
    open(name, attributes) {
      for (const [key, value] of Object.entries(attributes))
        if (WORD_NAMESPACES.has(value) && /^xmlns(:|$)/.test(key)) prefixes.add(key.slice('xmlns:'.length))
      if (prefixes.size === 1) return open(name, attributes)
      const usualAttributes = Object.entries(attributes).map(([key, value]) => [usual(key), value])
      open(usual(name), Object.fromEntries(usualAttributes))
    },
    close: (name) => close?.(usual(name)),
    ...(text ? { text } : {}),
  })
}

export interface Style {
  /** Of a heading, or 0. */
  level: number
  listId: string | null
  /** Null where the list says which of its levels has this style. */
  depth: number | null
}

interface WrittenStyle extends Partial<Style> {
  basedOn?: string
}

/** Styles by id, with what they inherit. Names are always English; ids depend on Word's language. */
export function readStyles(xml: string, maxDepth: number): Map<string, Style> {
  const styles = new Map<string, WrittenStyle>()
  let style: WrittenStyle = {}
  parseWordXml(xml, maxDepth, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'w:style') {
        style = {}
        styles.set(attributes['w:styleId'] ?? '', style)
      } else if (name === 'w:basedOn') style.basedOn = value
      else if (name === 'w:numId') style.listId = value === '0' ? null : value
      else if (name === 'w:ilvl') style.depth = depthOf(attributes)
      const heading = name === 'w:name' && /^(?:heading ([1-6])|(title))$/i.exec(value)
      if (heading) style.level = heading[2] ? 1 : Number(heading[1])
    },
  })
  return new Map([...styles.keys()].map((id) => [id, inherited(id)]))

  function inherited(id: string): Style {
    const chain: WrittenStyle[] = []
    for (let next: string | undefined = id; next !== undefined && chain.length < LONGEST_CHAIN; ) {
      const ownStyle: WrittenStyle = styles.get(next) ?? {}
      chain.push(ownStyle)
      next = ownStyle.basedOn
    }
    const nearest = <Key extends keyof Style>(key: Key) => chain.find((one) => one[key] !== undefined)?.[key]
    return { level: nearest('level') ?? 0, listId: nearest('listId') ?? null, depth: nearest('depth') ?? null }
  }
}

export function depthOf(attributes: Attributes): number {
  return Math.min(Math.max(Number.parseInt(attributes['w:val'] ?? '0', 10) || 0, 0), DEEPEST_LIST)
}

interface ListLevel {
  isOrdered: boolean
  start: number
  /** Paragraphs of this style are items of this level. */
  style: string | null
}

interface AbstractList {
  levels: Map<number, ListLevel>
  /** Its levels are those of the list with this style. */
  sameAs: string | null
  style: string | null
}

interface List {
  abstractId: string
  starts: Map<number, number>
  levels: Map<number, ListLevel>
}

export interface Numbering {
  lists: Map<string, List>
  levelsOf(listId: string): Map<number, ListLevel>
}

export function readNumbering(xml: string, maxDepth: number): Numbering {
  const abstractLists = new Map<string, AbstractList>()
  const lists = new Map<string, List>()
  let abstract: AbstractList = { levels: new Map(), sameAs: null, style: null }
  let list: List = { abstractId: '', starts: new Map(), levels: new Map() }
  let level: ListLevel = { isOrdered: false, start: 1, style: null }
  let overriddenLevel = -1

  const opens: Record<string, (attributes: Attributes) => void> = {
    'w:abstractNum': (attributes) => {
      abstract = { levels: new Map(), sameAs: null, style: null }
      abstractLists.set(attributes['w:abstractNumId'] ?? '', abstract)
    },
    'w:numStyleLink': (attributes) => {
      abstract.sameAs = attributes['w:val'] ?? ''
    },
    'w:styleLink': (attributes) => {
      abstract.style = attributes['w:val'] ?? ''
    },
    'w:lvl': (attributes) => {
      level = { isOrdered: true, start: 1, style: null }
      const depth = Number(attributes['w:ilvl'] ?? 0)
      if (overriddenLevel < 0) abstract.levels.set(depth, level)
      else list.levels.set(overriddenLevel, level)
    },
    'w:start': (attributes) => {
      level.start = Number(attributes['w:val']) || 0
    },
    'w:numFmt': (attributes) => {
      level.isOrdered = !UNNUMBERED.has(attributes['w:val'] ?? '')
    },
    'w:pStyle': (attributes) => {
      level.style = attributes['w:val'] ?? null
    },
    'w:num': (attributes) => {
      list = { abstractId: '', starts: new Map(), levels: new Map() }
      lists.set(attributes['w:numId'] ?? '', list)
    },
    'w:abstractNumId': (attributes) => {
      list.abstractId = attributes['w:val'] ?? ''
    },
    'w:lvlOverride': (attributes) => {
      overriddenLevel = Number(attributes['w:ilvl'] ?? 0)
    },
    'w:startOverride': (attributes) => {
      list.starts.set(overriddenLevel, Number(attributes['w:val']) || 0)
    },
  }
  parseWordXml(xml, maxDepth, {
    open: (name, attributes) => opens[name]?.(attributes),
    close(name) {
      if (name === 'w:lvlOverride') overriddenLevel = -1
    },
  })

  const byStyle = new Map([...abstractLists.values()].map((one) => [one.style, one]))
  const levelsByList = new Map<string, Map<number, ListLevel>>()
  function levelsOf(listId: string): Map<number, ListLevel> {
    const knownList = levelsByList.get(listId)
    if (knownList) return knownList
    const ownList = lists.get(listId)
    const abstractList = abstractLists.get(ownList?.abstractId ?? '')
    const base =
      (abstractList?.sameAs && abstractList.levels.size === 0 ? byStyle.get(abstractList.sameAs) : abstractList)
        ?.levels ?? []
    const levels = new Map([...base, ...(ownList?.levels ?? [])])
    levelsByList.set(listId, levels)
    return levels
  }
  return { lists, levelsOf }
}

/** The level whose items have the style, where neither paragraph nor style names one. */
export function depthOfStyle({ levelsOf }: Numbering, listId: string, styleId: string): number {
  for (const [depth, { style }] of levelsOf(listId)) if (style === styleId) return Math.min(depth, DEEPEST_LIST)
  return 0
}

/**
 * Numbers list items as Word does: lists of one abstract list continue each other, unless one says where it starts,
 * and an item restarts the levels below it.
 */
export function makeItemCounter({ lists, levelsOf }: Numbering) {
  const counts = new Map<string, number[]>()
  const startedLevels = new Set<string>()
  /** Null for an item without a number. */
  return (listId: string, depth: number): number | null => {
    const list = lists.get(listId)
    const levels = levelsOf(listId)
    const key = list ? `abstract ${list.abstractId}` : listId
    const ownCounts = counts.get(key) ?? []
    counts.set(key, ownCounts)
    ownCounts.length = Math.min(ownCounts.length, depth + 1)
    const startsAt = list?.starts.get(depth)
    if (startsAt !== undefined && !startedLevels.has(`${listId} ${depth}`)) ownCounts[depth] = startsAt - 1
    startedLevels.add(`${listId} ${depth}`)
    ownCounts[depth] = (ownCounts[depth] ?? (startsAt ?? levels.get(depth)?.start ?? 1) - 1) + 1
    return levels.get(depth)?.isOrdered ? ownCounts[depth] : null
  }
}
