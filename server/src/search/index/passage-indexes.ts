// One passage index per bot, loaded from its snapshot and updated with later changes. Large builds run in a thread.
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { ChangedDocument, DocumentsTable, PassagePosition } from '../../storage/documents.ts'
import type { IndexSnapshotsTable } from '../../storage/snapshots.ts'
import { type IndexMemory, openIndexCache, type SaveTime } from '../cache/index-cache.ts'
import { runInThread } from '../run-in-thread.ts'
import { decodeVectors } from '../vectors/quantise.ts'
import { type IndexedPassage, indexIdOf, passageRef } from './passage.ts'
import { buildIndex, changeCost, changeIndex, indexSize, type PassageIndex } from './passage-index.ts'
import { loadSnapshot, SNAPSHOT_VERSION, saveSnapshot } from './snapshot.ts'

const PASSAGES_AT_ONCE = 500
// Up to this many passages and characters, building does not noticeably block the event loop: usually for 15 ms, 50 ms
// with rare words only.
const BUILT_IN_PLACE = 300
const CHARACTERS_BUILT_IN_PLACE = 60_000
// Smaller indexes are built as fast as they are loaded.
const SNAPSHOT_FROM_PASSAGES = 500
const SNAPSHOT_FROM_BYTES = 500_000

interface CachedIndex {
  version: number
  index: PassageIndex
  bytes: number
}

export interface PassageIndexes {
  /** The bot's index, at least at this version. */
  get(botId: string, version: number): Promise<PassageIndex>
  /** Saves pending changes. */
  close(): Promise<void>
}

interface Deps {
  documents: Pick<DocumentsTable, 'knowledgeVersion' | 'listChanged' | 'listRemoved'>
  snapshots: IndexSnapshotsTable
  /** Vectors of other models are ignored. */
  model: string | null
  memory: Pick<IndexMemory, 'recordUse' | 'onRelease'>
  onError: (error: unknown) => void
}

export function openPassageIndexes({ documents, snapshots, model, memory, onError }: Deps): PassageIndexes {
  const cache = openIndexCache<CachedIndex>({
    kind: 'passages',
    memory,
    bytesOf: ({ bytes }) => bytes,
    save,
    onError,
  })

  async function catchUp(botId: string, cachedIndex: CachedIndex | undefined): Promise<CachedIndex> {
    const base = cachedIndex ?? (await fromSnapshot(botId))
    const since = base?.version ?? -1
    // Read first: changes made during the other reads are picked up the next time.
    const version = await documents.knowledgeVersion(botId)
    const removedIds = since >= 0 ? await documents.listRemoved(botId, since) : []
    const changedDocuments = await changedSince(botId, since)
    const passages = await passagesOf(changedDocuments)
    const index = await apply(base?.index, passages, [...removedIds, ...changedDocuments.map(({ id }) => id)])
    if (passages.length > 0) cache.saveSoon(botId)
    return { version, index, bytes: indexSize(index).bytes }
  }

  async function changedSince(botId: string, since: number): Promise<ChangedDocument[]> {
    const all = new Map<string, ChangedDocument>()
    let cursor: PassagePosition | null = { documentId: '', ordinal: -1 }
    while (cursor) {
      const { documents: some, next } = await documents.listChanged(botId, since, cursor, PASSAGES_AT_ONCE)
      for (const document of some) {
        const entry = all.get(document.id)
        if (entry) entry.passages.push(...document.passages)
        else all.set(document.id, document)
      }
      cursor = next
      await yieldToLoop()
    }
    return [...all.values()]
  }

  async function passagesOf(changedDocuments: ChangedDocument[]): Promise<IndexedPassage[]> {
    const passages: IndexedPassage[] = []
    let batchEnd = PASSAGES_AT_ONCE
    for (const document of changedDocuments) {
      for (const passage of toPassages(document, model)) passages.push(passage)
      if (passages.length < batchEnd) continue
      batchEnd = passages.length + PASSAGES_AT_ONCE
      await yieldToLoop()
    }
    return passages
  }

  async function fromSnapshot(botId: string): Promise<Omit<CachedIndex, 'bytes'> | undefined> {
    const snapshot = await snapshots.load(botId, snapshotFormat(model))
    const index = snapshot && loadSnapshot(snapshot.data)
    return index ? { version: snapshot.version, index } : undefined
  }

  async function save(botId: string, { version, index, bytes }: CachedIndex, time: SaveTime) {
    // Memory is short when indexes are evicted, and a snapshot is a copy.
    const isWorthIt = bytes >= SNAPSHOT_FROM_BYTES && time !== 'evicted'
    if (!isWorthIt && indexSize(index).passages < SNAPSHOT_FROM_PASSAGES) return
    await snapshots.save(botId, version, snapshotFormat(model), saveSnapshot(index))
  }

  return {
    async get(botId, version) {
      const isCurrent = (entry: CachedIndex) => entry.version >= version
      return (await cache.upToDate(botId, isCurrent, (entry) => catchUp(botId, entry))).index
    },
    close: cache.close,
  }
}

function snapshotFormat(model: string | null): string {
  return `${SNAPSHOT_VERSION} ${model ?? 'lexical'}`
}

async function apply(
  index: PassageIndex | undefined,
  passages: IndexedPassage[],
  changedDocuments: string[],
): Promise<PassageIndex> {
  const isLong = passages.reduce((sum, { text }) => sum + text.length, 0) > CHARACTERS_BUILT_IN_PLACE
  if (!index) return isLong || passages.length > BUILT_IN_PLACE ? buildInThread(passages) : buildIndex(passages)
  const touchedIds = new Set(changedDocuments)
  if (touchedIds.size === 0) return index
  const remove = index.segments.flatMap(({ ids }) => ids.filter((id) => touchedIds.has(passageRef(id).documentId)))
  if (isLong || changeCost(index, passages.length) > BUILT_IN_PLACE) return buildInThread(passages, { index, remove })
  return changeIndex(index, { put: passages, remove })
}

function toPassages({ passages, vectors }: ChangedDocument, model: string | null): IndexedPassage[] {
  const documentVectors = vectors && vectors.model === model ? decodeVectors(vectors.data) : []
  return passages.flatMap((passage, position) => {
    if (passage.isExcluded) return []
    const decodedSegment = documentVectors[position]
    const { title, headings, text, language, questions } = passage
    return [
      {
        id: indexIdOf(passage),
        title,
        headings,
        text,
        language,
        questions,
        ...(decodedSegment ? { vector: decodedSegment } : {}),
      },
    ]
  })
}

// Builds or changes large indexes in a thread.
export interface BuildOrder {
  /** Snapshot of the index to change; absent for a new one. */
  base?: Uint8Array
  remove: string[]
}

function buildInThread(
  passages: IndexedPassage[],
  change?: { index: PassageIndex; remove: string[] },
): Promise<PassageIndex> {
  const remove = change?.remove ?? []
  return runInThread(new URL('./build-passages-worker.ts', import.meta.url), {
    items: passages,
    options() {
      if (!change) return { workerData: { remove } satisfies BuildOrder, transferList: [] }
      const base = saveSnapshot(change.index)
      return { workerData: { remove, base } satisfies BuildOrder, transferList: [base.buffer as ArrayBuffer] }
    },
    receive: readSnapshot,
    runDirectly: () => (change ? changeIndex(change.index, { put: passages, remove }) : buildIndex(passages)),
  })
}

function readSnapshot(snapshot: Uint8Array): PassageIndex {
  const index = loadSnapshot(snapshot)
  if (!index) throw new Error('the index thread returned no index')
  return index
}
