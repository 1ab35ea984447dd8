// What in a bot's content needs attention: documents that share passages, and documents that may be out of date. All
// passages are read in batches, of one bot at a time, and only their sketches and places kept, so that large bots cost
// little memory and delay nobody.
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { COMPARED_PASSAGES, type ContentReview, Fault } from '@docent/contract'
import { makeTtlCache } from '../../caching.ts'
import { DAY_MS } from '../../days.ts'
import { collapseSpaces } from '../../language/fold.ts'
import { isPastHeading, pastAnnouncement } from '../../language/past-dates.ts'
import { plainText } from '../../language/plain-text.ts'
import { groupAlike, SketchList, sketchOf } from '../../language/text-sketch.ts'
import type { CrawlPagesTable } from '../../storage/crawl-pages.ts'
import type { DocumentsTable, PassageRecord } from '../../storage/documents.ts'
import type { PassagesTable } from '../../storage/passages.ts'
import { timestamp } from '../../timestamps.ts'

const PASSAGES_AT_ONCE = 250
const SHOWN_DUPLICATES = 100
// A text in more documents, such as a cookie notice, is kept once it was confirmed in the newest of them.
const SHOWN_DOCUMENTS = 100
const SHOWN_PASSAGES = 100
const SHOWN_OUTDATED = 200
const EXCERPT_LETTERS = 200
const NOT_READ_DAYS = 90
const UNCHANGED_DAYS = 365
const KEPT_MS = 10 * 60_000
const KEPT_BOTS = 10
const KEPT_FINDINGS = 1000
const GROUPS_AT_ONCE = 500

interface Deps {
  documents: Pick<DocumentsTable, 'listReviewed' | 'markReviewed' | 'listOld'>
  passages: Pick<PassagesTable, 'listForReview'>
  crawlPages: Pick<CrawlPagesTable, 'listUnread'>
  clock: () => number
}

interface ReviewedBot {
  id: string
  knowledgeVersion: number
}

interface SeenPassage {
  id: string
  documentId: string
  ordinal: number
}
type SeenDocument = Pick<PassageRecord, 'title' | 'url' | 'updatedAt'> & { id: string; passages: number }
type Outdated = ContentReview['outdated'][number]
type Shown = ContentReview['duplicates'][number]
/** Its words are loaded when it is shown. */
type Duplicate = Omit<Shown, 'heading' | 'excerpt'> & { first: SeenPassage }

interface Findings {
  knowledgeVersion: number
  duplicates: Duplicate[]
  outdated: Outdated[]
  complete: boolean
}

export function openContentReview({ documents, passages, crawlPages, clock }: Deps) {
  const findingsCache = makeTtlCache<Findings>({ ttlMs: KEPT_MS, maxEntries: KEPT_BOTS, clock })
  // Whoever asks meanwhile waits for the same reading, also if the content has changed since it began.
  const running = new Map<string, Promise<Findings>>()
  let lastReading: Promise<unknown> = Promise.resolve()

  async function readAll({ id: botId, knowledgeVersion }: ReviewedBot): Promise<Findings> {
    const now = clock()
    // Left out before the findings are cut, so that others take their places.
    const reviewedIds = new Set(await documents.listReviewed(botId))
    const seenPassages: SeenPassage[] = []
    const sketches = new SketchList()
    const seenDocuments = new Map<string, SeenDocument>()
    const pastDates = new Map<string, Outdated>()
    let complete = true
    let after: { documentId: string; ordinal: number } | null = { documentId: '', ordinal: -1 }
    for (let count = 0; after; await yieldToLoop()) {
      const batch: PassageRecord[] = await passages.listForReview(botId, after, PASSAGES_AT_ONCE)
      for (const passage of batch) {
        const { documentId, title, url, updatedAt } = passage
        const document = seenDocuments.get(documentId) ?? { id: documentId, title, url, updatedAt, passages: 0 }
        document.passages++
        seenDocuments.set(documentId, document)
        if (passage.isExcluded) continue
        if (pastDates.size < KEPT_FINDINGS && !pastDates.has(documentId) && !reviewedIds.has(documentId)) {
          const words = pastWords(passage, now)
          if (words) pastDates.set(documentId, pastDate(passage, words))
        }
        const sketch = sketchOf(passage.text)
        if (!sketch) continue
        // One string per document, not per row.
        seenPassages.push({ id: passage.passageId, documentId: document.id, ordinal: passage.ordinal })
        sketches.push(sketch)
      }
      count += batch.length
      complete = count < COMPARED_PASSAGES
      const last = batch.at(-1)
      after = last && complete && batch.length === PASSAGES_AT_ONCE ? last : null
    }
    const groups = await groupAlike(sketches, yieldToLoop)
    const duplicates = await duplicatesOf(groups, seenPassages, seenDocuments)
    return {
      knowledgeVersion,
      duplicates: duplicates.filter(isOpen(reviewedIds)).slice(0, KEPT_FINDINGS),
      outdated: await outdatedOf(botId, now, pastDates),
      complete,
    }
  }

  async function outdatedOf(botId: string, now: number, pastDates: Map<string, Outdated>): Promise<Outdated[]> {
    const unread = await crawlPages.listUnread(botId, now - NOT_READ_DAYS * DAY_MS)
    const old = await documents.listOld(botId, now - UNCHANGED_DAYS * DAY_MS)
    const entries = [
      ...unread.map(
        ({ documentId, title, url, crawlId, isFailing, readAt }): Outdated => ({
          document_id: documentId,
          title,
          url,
          crawl_id: crawlId,
          since: timestamp(readAt),
          reason: isFailing ? 'failing' : 'not_read',
          excerpt: null,
          passage_id: null,
        }),
      ),
      ...old.map(
        ({ id, title, url, updatedAt }): Outdated => ({
          document_id: id,
          title,
          url,
          crawl_id: null,
          since: timestamp(updatedAt),
          reason: 'unchanged',
          excerpt: null,
          passage_id: null,
        }),
      ),
    ]
    const failing = entries.filter(({ reason }) => reason === 'failing')
    const others = entries.filter(({ reason }) => reason !== 'failing')
    const firstOf = new Map<string, Outdated>()
    for (const entry of [...failing, ...pastDates.values(), ...others])
      if (!firstOf.has(entry.document_id)) firstOf.set(entry.document_id, entry)
    return [...firstOf.values()]
  }

  function findingsOf(bot: ReviewedBot): Promise<Findings> {
    const runningReview = running.get(bot.id)
    if (runningReview) return runningReview
    const reading = lastReading.then(() => readAll(bot)).finally(() => running.delete(bot.id))
    lastReading = reading.catch(() => undefined)
    running.set(bot.id, reading)
    return reading
  }

  /** Findings of content that has changed meanwhile are shown, but not kept. */
  async function newestFindings(bot: ReviewedBot): Promise<Findings | undefined> {
    let older: Findings | undefined
    const current = await findingsCache.read(`${bot.id} ${bot.knowledgeVersion}`, async () => {
      const findings = await findingsOf(bot)
      if (findings.knowledgeVersion === bot.knowledgeVersion) return findings
      older = findings
      return undefined
    })
    return current ?? older
  }

  async function withWords(botId: string, { first, ...duplicate }: Duplicate): Promise<Shown> {
    const before = { documentId: first.documentId, ordinal: first.ordinal - 1 }
    const [passage] = await passages.listForReview(botId, before, 1)
    return { ...duplicate, heading: passage?.headings.at(-1) ?? null, excerpt: excerptOf(passage?.text ?? '') }
  }

  return {
    async reviewContent(bot: ReviewedBot): Promise<ContentReview> {
      const findings = await newestFindings(bot)
      const { duplicates, outdated, complete } = findings ?? { duplicates: [], outdated: [], complete: true }
      const reviewedIds = new Set(await documents.listReviewed(bot.id))
      const openDuplicates = duplicates.filter(isOpen(reviewedIds))
      const shownDuplicates: Shown[] = []
      for (const duplicate of openDuplicates.slice(0, SHOWN_DUPLICATES))
        shownDuplicates.push(await withWords(bot.id, duplicate))
      const openOutdated = outdated.filter(
        ({ document_id, reason }) => reason === 'failing' || reason === 'not_read' || !reviewedIds.has(document_id),
      )
      return {
        duplicates: shownDuplicates,
        duplicate_count: openDuplicates.length,
        outdated: openOutdated.slice(0, SHOWN_OUTDATED),
        outdated_count: openOutdated.length,
        complete,
      }
    },

    async confirmDocument(botId: string, documentId: string): Promise<{ title: string }> {
      const reviewedDocument = await documents.markReviewed(botId, documentId, clock())
      if (!reviewedDocument) throw new Fault('not_found')
      return reviewedDocument
    },
  }
}

function isOpen(reviewedIds: ReadonlySet<string>) {
  return (duplicate: Duplicate) => !duplicate.documents.every(({ id }) => reviewedIds.has(id))
}

/** One for all passages that the same documents share. */
async function duplicatesOf(
  groups: number[][],
  seenPassages: SeenPassage[],
  seenDocuments: Map<string, SeenDocument>,
): Promise<Duplicate[]> {
  const shared = new Map<string, SeenPassage[][]>()
  for (const [position, group] of groups.entries()) {
    if (position % GROUPS_AT_ONCE === 0) await yieldToLoop()
    const members = group.flatMap((index) => seenPassages[index] ?? [])
    const ids = [...new Set(members.map(({ documentId }) => documentId))].sort()
    // Within one document, a repetition is how its author wrote it.
    if (ids.length < 2) continue
    const key = ids.join('\n')
    const same = shared.get(key)
    if (same) same.push(members)
    else shared.set(key, [members])
  }
  const duplicates: Duplicate[] = []
  for (const [key, same] of shared) {
    if (duplicates.length % GROUPS_AT_ONCE === 0) await yieldToLoop()
    const [first] = same[0] ?? []
    if (first) duplicates.push(duplicateOf(key.split('\n'), first, same, seenDocuments))
  }
  return duplicates.sort((a, b) => b.passages * b.document_count - a.passages * a.document_count)
}

function duplicateOf(
  documentIds: string[],
  first: SeenPassage,
  same: SeenPassage[][],
  seenDocuments: Map<string, SeenDocument>,
): Duplicate {
  const passageIds = Map.groupBy(same.flat(), ({ documentId }) => documentId)
  return {
    first,
    passages: same.length,
    document_count: documentIds.length,
    documents: documentIds
      .flatMap((id) => seenDocuments.get(id) ?? [])
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))
      .slice(0, SHOWN_DOCUMENTS)
      .map(({ id, title, url, updatedAt, passages }) => ({
        id,
        title,
        url,
        passages,
        updated_at: timestamp(updatedAt),
        passage_ids: (passageIds.get(id) ?? []).slice(0, SHOWN_PASSAGES).map((passage) => passage.id),
      })),
  }
}

function pastWords({ title, headings, text }: PassageRecord, now: number): string | undefined {
  return [title, ...headings].find((heading) => isPastHeading(heading, now)) ?? pastAnnouncement(plain(text), now)
}

function pastDate(passage: PassageRecord, excerpt: string): Outdated {
  const { documentId, title, url, updatedAt, passageId } = passage
  return {
    document_id: documentId,
    title,
    url,
    crawl_id: null,
    since: timestamp(updatedAt),
    reason: 'past_date',
    excerpt,
    passage_id: passageId,
  }
}

function excerptOf(text: string): string {
  const words = plain(text)
  return words.length > EXCERPT_LETTERS ? `${words.slice(0, EXCERPT_LETTERS).trim()}…` : words
}

function plain(text: string): string {
  return collapseSpaces(plainText(text, { links: false }))
}
