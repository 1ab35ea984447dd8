// Stores the indexes of large catalogues in the database, so that the first question after a start need not wait
// for a build. A snapshot is for one version; later changes are then applied.

import { deserialize, serialize } from 'node:v8'
import { randomId } from '../../ids.ts'
import type { ProductSnapshotsTable } from '../../storage/snapshots.ts'
import { addGroup, addWord, appendSlots, makeProductIndex, type ProductIndex } from './product-index.ts'

interface Head {
  format: string
  language: string
  version: number
  parts: number
}

interface SavedProducts {
  version: number
  index: ProductIndex
}

export type ProductSnapshots = ReturnType<typeof openProductSnapshots>

export function openProductSnapshots(snapshots: ProductSnapshotsTable) {
  return {
    async load(botId: string, language: string, nextSlice: () => Promise<void>): Promise<SavedProducts | undefined> {
      const heads = (await snapshots.listHeads(botId)).map(({ saveId, data }) => ({
        saveId: saveId,
        ...headOf(data),
      }))
      const [newest] = heads
        .filter((head) => head.format === productSnapshotFormat && head.language === language)
        .sort((a, b) => b.version - a.version)
      if (!newest) return undefined
      const reader = makeSnapshotReader(language)
      for (let part = 1; part <= newest.parts; part++) {
        const data = await snapshots.loadPart(botId, newest.saveId, part)
        // Another node has just replaced it with a newer one.
        if (!data) return undefined
        const isLast = reader.add(data)
        if (isLast) return { version: newest.version, index: reader.index }
        await nextSlice()
      }
      return undefined
    },

    /** Stops as soon as the index is needed for something else. */
    async save(
      botId: string,
      { version, index }: SavedProducts,
      isWanted: () => boolean,
      nextSlice: () => Promise<void>,
    ) {
      const saveId = randomId('req')
      let parts = 0
      for (const data of snapshotParts(index)) {
        if (isWanted()) break
        await snapshots.savePart(botId, saveId, ++parts, data)
        await nextSlice()
      }
      const isWhole = !isWanted()
      const head: Head = { format: productSnapshotFormat, language: index.language, version, parts }
      if (isWhole) await snapshots.savePart(botId, saveId, 0, Buffer.from(JSON.stringify(head)))
      return { isWhole, saveId }
    },

    /** Deletes the bot's other snapshots. */
    async removeOthers(botId: string, saveId: string, nextSlice: () => Promise<void>) {
      while (await snapshots.removeOthers(botId, saveId)) await nextSlice()
    },
  }
}

function headOf(data: Uint8Array): Head {
  return JSON.parse(Buffer.from(data).toString('utf8'))
}

// A product index in parts small enough to be built, written and read one by one. Lists are stored; derived data
// (groups and their members, words by their edges) is rebuilt.

/** Increase it when the index changes: older snapshots are then rebuilt from the products. */
const productSnapshotFormat = `6 v8-${process.versions.v8.split('.')[0]}`

const ROWS_AT_ONCE = 3000
const POSTINGS_AT_ONCE = 30_000

interface TermPart {
  kind: 'terms'
  terms: string[]
  lengths: Uint32Array
  postings: Uint32Array
}

interface GroupPart {
  kind: 'groups'
  names: string[]
}

interface SlotPart {
  kind: 'slots'
  ids: (string | undefined)[]
  titleLengths: Uint8Array
  /** Word numbers. */
  titles: Uint32Array
  measures: (readonly number[])[]
  termSums: Float64Array
  groups: Int32Array
  prices: Float64Array
  ratings: Float32Array
  updated: Float64Array
  availability: Uint8Array
}

interface EndPart {
  kind: 'end'
}

type Part = TermPart | GroupPart | SlotPart | EndPart

export function* snapshotParts(index: ProductIndex): Generator<Uint8Array> {
  const numbers = new Map<string, number>()
  for (const part of termParts(index, numbers)) yield serialize(part)
  const names = [...index.groupNumbers.keys()]
  for (let start = 0; start < names.length; start += ROWS_AT_ONCE)
    yield serialize({ kind: 'groups', names: names.slice(start, start + ROWS_AT_ONCE) } satisfies GroupPart)
  for (let start = 0; start < index.ids.length; start += ROWS_AT_ONCE)
    yield serialize(slotPart(index, numbers, start, Math.min(start + ROWS_AT_ONCE, index.ids.length)))
  yield serialize({ kind: 'end' } satisfies EndPart)
}

function* termParts({ postings }: ProductIndex, numbers: Map<string, number>): Generator<TermPart> {
  let terms: string[] = []
  let lists: number[][] = []
  let count = 0
  const part = (): TermPart => ({
    kind: 'terms',
    terms,
    lengths: Uint32Array.from(lists, (list) => list.length),
    postings: Uint32Array.from(lists.flat()),
  })
  for (const [term, list] of postings) {
    numbers.set(term, numbers.size)
    terms.push(term)
    lists.push(list)
    count += list.length
    if (terms.length < ROWS_AT_ONCE && count < POSTINGS_AT_ONCE) continue
    yield part()
    terms = []
    lists = []
    count = 0
  }
  if (terms.length > 0) yield part()
}

function slotPart(index: ProductIndex, numbers: Map<string, number>, start: number, end: number): SlotPart {
  const titles = index.titles.slice(start, end)
  return {
    kind: 'slots',
    ids: index.ids.slice(start, end),
    titleLengths: Uint8Array.from(titles, (title) => Math.min(title.length, 255)),
    titles: Uint32Array.from(titles.flatMap((title) => title.slice(0, 255).map((term) => numbers.get(term) ?? 0))),
    measures: index.measures.slice(start, end),
    termSums: index.termSums.slice(start, end),
    groups: index.groups.slice(start, end),
    prices: index.prices.slice(start, end),
    ratings: index.ratings.slice(start, end),
    updated: index.updated.slice(start, end),
    availability: index.availability.slice(start, end),
  }
}

/** Rebuilds an index from its parts, in order. */
export function makeSnapshotReader(language: string) {
  const index = makeProductIndex(language)
  const terms: string[] = []

  function addTerms({ terms: partTerms, lengths, postings }: TermPart) {
    let at = 0
    for (const [number, term] of partTerms.entries()) {
      const length = lengths[number] ?? 0
      index.postings.set(term, Array.from(postings.subarray(at, at + length)))
      at += length
      addWord(index, term)
      terms.push(term)
    }
    index.postingCount += postings.length
  }

  function addSlots({ kind: _, ids, titles, titleLengths, ...figures }: SlotPart) {
    let at = 0
    const words = ids.map((_, row) => {
      const from = at
      at += titleLengths[row] ?? 0
      return Array.from(titles.subarray(from, at), (number) => terms[number] ?? '')
    })
    appendSlots(index, { ids, titles: words, ...figures })
  }

  return {
    index,
    /** True for the last part. */
    add(data: Uint8Array): boolean {
      const part = deserialize(data) as Part
      if (part.kind === 'terms') addTerms(part)
      else if (part.kind === 'groups') for (const name of part.names) addGroup(index, name)
      else if (part.kind === 'slots') addSlots(part)
      return part.kind === 'end'
    },
  }
}
