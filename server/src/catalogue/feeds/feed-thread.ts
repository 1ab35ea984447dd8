// Parses a feed in its own thread, so that a large or hostile one blocks nothing and can be ended.
import { Worker } from 'node:worker_threads'
import { type FeedEntry, UnreadableFeed } from './feed-formats.ts'

const HEAP_MB = 512
const YOUNG_HEAP_MB = 16
/** Per batch, which is the whole feed where products have several rows. */
const BATCH_MS = 60_000

export interface FeedFile {
  descriptor: number
  sizeBytes: number
  contentType: string
  /** Decompressed size. */
  maxBytes: number
}

export type FeedMessage = { entries: FeedEntry[] } | { format: string } | { error: UnreadableFeed['code'] }

/** Returns the format. Throws `UnreadableFeed`. */
export async function* readInThread(file: FeedFile, signal: AbortSignal): AsyncGenerator<FeedEntry[], string> {
  const thread = new Worker(new URL('./feed-worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  })
  // Prevents an uncaught error between two messages.
  thread.on('error', () => {})
  try {
    for (;;) {
      const message = await nextMessage(thread, signal)
      if ('error' in message) throw new UnreadableFeed(message.error, 'the feed cannot be read')
      if ('format' in message) return message.format
      yield message.entries
      thread.postMessage('next')
    }
  } finally {
    await thread.terminate()
  }
}

function nextMessage(thread: Worker, signal: AbortSignal): Promise<FeedMessage> {
  return new Promise<FeedMessage>((resolve, reject) => {
    const fail = (reason: string) => settle(() => reject(new UnreadableFeed('unreadable', reason)))
    const onMessage = (message: FeedMessage) => settle(() => resolve(message))
    const onError = (error: Error) => fail(error.message)
    const onExit = () => fail('the thread ended')
    const onAbort = () => settle(() => reject(signal.reason))
    const timer = setTimeout(() => fail('it timed out'), BATCH_MS)

    function settle(tell: () => void) {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      tell()
    }

    thread.once('message', onMessage).once('error', onError).once('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}
