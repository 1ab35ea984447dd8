// The thread of the extractor. What reads a kind of thing is loaded with the first of it: a text file needs no parser of
// pages, which would take longer to load than the file to read.
import { parentPort } from 'node:worker_threads'
import type { ExtractOrder } from './extractor.ts'

let isReady = false

parentPort?.on('message', async (order: ExtractOrder) => {
  try {
    const carryOut = await reader(order)
    if (!isReady) parentPort?.postMessage('ready')
    isReady = true
    parentPort?.postMessage({ result: await carryOut() })
  } catch (error) {
    const { name, message } = error as Error
    parentPort?.postMessage({ error: { message: String(message), isForPeople: name === 'UnreadableFile' } })
  }
})

async function reader(order: ExtractOrder): Promise<() => unknown> {
  if (order.kind === 'page') {
    const { extractPage } = await import('./extract-page.ts')
    return () => extractPage(order.bytes, order.contentType)
  }
  if (order.kind === 'sitemap') {
    const { readSitemap } = await import('./read-sitemap.ts')
    return () => readSitemap(order.bytes, order.limitBytes)
  }
  const { readFile } = await import('../files/read-file.ts')
  return () => readFile(order.name, Buffer.from(order.bytes))
}
