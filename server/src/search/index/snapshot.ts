import type { PassageIndex } from './passage-index.ts'
import type { Segment } from './segment.ts'

// A snapshot is a short JSON header, then every array as it is in memory. Loading creates views on the
// buffer and builds nothing, so it takes about as long as reading the ids.
//
//   'DOCENTIX' | version u32 | header length u32 | header JSON | padding to 8 | arrays, each padded to 8

const MAGIC = 'DOCENTIX'
/** Increase it when segments change: older snapshots are then rebuilt from the texts. */
export const SNAPSHOT_VERSION = 5
const ALIGNMENT = 8

const arrayTypes = { Float64Array, Float32Array, Uint32Array, Uint8Array, Int8Array }
type ArrayType = keyof typeof arrayTypes
type AnyArray = InstanceType<(typeof arrayTypes)[ArrayType]>

interface ArrayLocation {
  name: string
  type: ArrayType
  offset: number
  length: number
}

interface Head {
  segments: {
    ids: string[]
    averages: Segment['averages']
    dimensions: number
    places: ArrayLocation[]
    removed: ArrayLocation | null
  }[]
}

/** Serialises an index into one buffer. */
export function saveSnapshot(index: PassageIndex): Buffer {
  const arrays: AnyArray[] = []
  let offset = 0
  const addArray = (name: string, array: AnyArray): ArrayLocation => {
    const at = { name, type: array.constructor.name as ArrayType, offset, length: array.length }
    arrays.push(array)
    offset += paddedSize(array.byteLength)
    return at
  }
  const segments = index.segments.map((segment, s) => {
    const { ids, averages, dimensions, ...rest } = segment
    const removedDocs = index.removed[s]
    const places = Object.entries(rest).map(([name, array]) => addArray(name, array as AnyArray))
    return {
      ids,
      averages,
      dimensions,
      places,
      removed: removedDocs ? addArray('removed', removedDocs as AnyArray) : null,
    }
  })
  const head = Buffer.from(JSON.stringify({ segments } satisfies Head))
  const start = paddedSize(MAGIC.length + 8 + head.length)
  const buffer = Buffer.alloc(start + offset)
  buffer.write(MAGIC, 'latin1')
  buffer.writeUInt32LE(SNAPSHOT_VERSION, MAGIC.length)
  buffer.writeUInt32LE(head.length, MAGIC.length + 4)
  head.copy(buffer, MAGIC.length + 8)
  let at = start
  for (const array of arrays) {
    buffer.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += paddedSize(array.byteLength)
  }
  return buffer
}

/** Loads a snapshot; undefined if another version wrote it. The buffer must not change afterwards. */
export function loadSnapshot(data: Uint8Array): PassageIndex | undefined {
  const bytes = data.byteOffset % ALIGNMENT === 0 ? data : new Uint8Array(data)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < MAGIC.length + 8 || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  if (buffer.readUInt32LE(MAGIC.length) !== SNAPSHOT_VERSION) return undefined
  const headLength = buffer.readUInt32LE(MAGIC.length + 4)
  const headEnd = MAGIC.length + 8 + headLength
  const head = JSON.parse(buffer.toString('utf8', MAGIC.length + 8, headEnd)) as Head
  const start = bytes.byteOffset + paddedSize(headEnd)
  const view = ({ type, offset, length }: ArrayLocation): AnyArray =>
    new arrayTypes[type](bytes.buffer as ArrayBuffer, start + offset, length)
  return {
    segments: head.segments.map(({ ids, averages, dimensions, places }) => {
      const arrays = Object.fromEntries(places.map((place) => [place.name, view(place)]))
      return { ids, averages, dimensions, ...arrays } as Segment
    }),
    removed: head.segments.map(({ removed }) => (removed ? (view(removed) as Uint8Array) : undefined)),
  }
}

const paddedSize = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
