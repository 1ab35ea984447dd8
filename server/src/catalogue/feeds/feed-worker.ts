// The thread that parses a feed, batch by batch on request.
import { read } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableFeed } from './feed-formats.ts'
import type { FeedFile, FeedMessage } from './feed-thread.ts'
import { readFeed } from './read-feed.ts'

const LOW_PRIORITY = 5
const CHUNK_BYTES = 128 * 1024
const file = workerData as FeedFile
const readAt = promisify(read)

if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.sizeBytes; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, file.sizeBytes - at))
    const { bytesRead } = await readAt(file.descriptor, buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function post(message: FeedMessage) {
  parentPort?.postMessage(message)
}

function nextRequest(): Promise<unknown> {
  return new Promise((resolve) => parentPort?.once('message', resolve))
}

try {
  const { format, entries } = await readFeed(chunks(), file)
  for await (const some of entries) {
    if (some.length === 0) continue
    const next = nextRequest()
    post({ entries: some })
    await next
  }
  post({ format })
} catch (error) {
  const isForPeople = error instanceof UnreadableFeed
  post({ error: isForPeople ? error.code : 'unreadable' })
}
parentPort?.close()
