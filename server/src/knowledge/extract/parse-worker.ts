// The thread that parses. What reads a kind of thing is loaded with the first of it: a text file needs no parser of
// pages, which would take longer to load than the file to read.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ParseLimits } from './parse-limits.ts'
import type { ParseOrder, ThreadMessage } from './parse-order.ts'

const LOW_PRIORITY = 5
const limits = workerData as ParseLimits

// On Linux this is the priority of this thread alone: questions go ahead of parsing where processors are few.
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)

parentPort?.on('message', async (order: ParseOrder) => {
  try {
    const carryOut = await reader(order)
    // How long it takes to load says nothing of the document.
    tell('ready')
    tell({ result: await carryOut() })
  } catch (error) {
    const { name, message } = error as Error
    tell({ error: { message: String(message), isForPeople: name === 'UnreadableFile' } })
  }
})

function tell(message: ThreadMessage) {
  parentPort?.postMessage(message)
}

async function reader(order: ParseOrder): Promise<() => unknown> {
  if (order.kind === 'page') {
    const { extractPage } = await import('./extract-page.ts')
    return () => extractPage(order.bytes, order.contentType, limits)
  }
  if (order.kind === 'sitemap') {
    const { readSitemap } = await import('./read-sitemap.ts')
    const maxBytes = Math.min(order.limitBytes, limits.maxBytes)
    return () => readSitemap(order.bytes, { ...limits, maxBytes })
  }
  if (order.kind === 'document') {
    const { splitDocument } = await import('../documents/split-document.ts')
    return () => splitDocument(order)
  }
  const { readFile } = await import('../files/read-file.ts')
  if (/\.x?html?$/i.test(order.name)) await import('./extract-page.ts')
  const { buffer, byteOffset, byteLength } = order.bytes
  return () => readFile(order.name, Buffer.from(buffer, byteOffset, byteLength), limits)
}
