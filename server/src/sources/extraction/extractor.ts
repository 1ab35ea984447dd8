// Parses pages, files and long documents in a few threads, shared fairly between workspaces.
import type { StoredPassage } from '../../storage/documents.ts'
import type { Content } from '../documents/split-document.ts'
import type { FileText } from '../files/read-file.ts'
import type { SiteHead } from '../website/read-site-head.ts'
import type { ExtractedPage } from './extract-page.ts'
import { makeFairQueue } from './fair-queue.ts'
import { defaultParseLimits } from './parse-limits.ts'
import { openParseThread, type ParseOrder, type ParseThread, type ThreadLimits } from './parse-thread.ts'
import type { Sitemap } from './read-sitemap.ts'

const WAITING_BYTES = 64 * 1024 ** 2
const LARGE_BYTES = 2 * 1024 ** 2

export interface Extractor {
  page(workspaceId: string, bytes: Uint8Array, contentType: string): Promise<ExtractedPage>
  /** Null when it is not a sitemap. */
  sitemap(workspaceId: string, bytes: Uint8Array, limitBytes: number): Promise<Sitemap | null>
  siteHead(workspaceId: string, bytes: Uint8Array, contentType: string): Promise<SiteHead>
  /** The main colour of a site, from the colours it declares and its styles. */
  siteColour(workspaceId: string, declaredColours: readonly string[], styles: string): Promise<string | null>
  file(workspaceId: string, content: FileContent, name: string): Promise<FileText>
  document(workspaceId: string, content: Content): Promise<StoredPassage[]>
  close(): Promise<void>
}

/** Read only when its turn comes. */
interface FileContent {
  sizeBytes: number
  memoryBytes: number
  read(): Promise<Uint8Array>
}

/** The queue is full; a later attempt may succeed. */
export class ExtractorFull extends Error {
  override readonly name = 'ExtractorFull'
}

interface Job {
  workspaceId: string
  waitingBytes: number
  isLarge: boolean
  order: () => Promise<ParseOrder>
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

interface Options extends Partial<ThreadLimits> {
  threads?: number
  idleAfterMs?: number
  waitingBytes?: number
}

export function startExtractor(options: Options = {}): Extractor {
  const { threads: threadCount = 2, idleAfterMs = 5000, waitingBytes = WAITING_BYTES, ...givenLimits } = options
  const limits = { timeoutMs: 30_000, ...defaultParseLimits, ...givenLimits }
  const threads = Array.from({ length: threadCount }, () => openParseThread(limits, idleAfterMs))
  const queue = makeFairQueue<Job>(waitingBytes)
  let isClosed = false

  function next() {
    for (;;) {
      const free = threads.filter((thread) => !thread.isBusy())
      const [thread] = free
      const job = thread && !isClosed ? queue.take(free.length) : null
      if (!thread || !job) return
      void run(thread, job)
    }
  }

  async function run(thread: ParseThread, job: Job) {
    const startedAt = performance.now()
    await thread.run(job).then(job.resolve as (result: unknown) => void, job.reject)
    queue.release(job, performance.now() - startedAt)
    next()
  }

  function enqueue<T>(
    workspaceId: string,
    sizeBytes: number,
    order: () => Promise<ParseOrder>,
    waitingBytes = sizeBytes,
  ): Promise<T> {
    if (isClosed) return Promise.reject(new Error('the extractor is closed'))
    return new Promise<T>((resolve, reject) => {
      if (queue.add({ workspaceId, waitingBytes, isLarge: sizeBytes > LARGE_BYTES, order, resolve, reject })) next()
      else reject(new ExtractorFull('too much is waiting to be read'))
    })
  }

  return {
    page: (workspaceId, bytes, contentType) =>
      enqueue(workspaceId, bytes.length, async () => ({ kind: 'page', bytes, contentType })),
    sitemap: (workspaceId, bytes, limitBytes) =>
      enqueue(workspaceId, bytes.length, async () => ({ kind: 'sitemap', bytes, limitBytes })),
    siteHead: (workspaceId, bytes, contentType) =>
      enqueue(workspaceId, bytes.length, async () => ({ kind: 'website', bytes, contentType })),
    siteColour: (workspaceId, declaredColours, styles) =>
      enqueue(workspaceId, 2 * styles.length, async () => ({ kind: 'stylesheet', declared: declaredColours, styles })),
    file: (workspaceId, content, name) =>
      enqueue(
        workspaceId,
        content.sizeBytes,
        async () => ({ kind: 'file', bytes: await content.read(), name }),
        content.memoryBytes,
      ),
    document: (workspaceId, content) =>
      enqueue(workspaceId, 2 * content.content.length, async () => ({ kind: 'document', ...content })),
    async close() {
      isClosed = true
      const error = new Error('the extractor is closed')
      for (const { reject } of queue.takeAll()) reject(error)
      await Promise.all(threads.map((thread) => thread.close(error)))
    },
  }
}
