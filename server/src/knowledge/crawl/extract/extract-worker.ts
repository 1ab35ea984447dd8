import { parentPort } from 'node:worker_threads'
import { extractPage } from './extract-page.ts'
import type { ExtractOrder } from './extractor.ts'
import { readSitemap } from './read-sitemap.ts'

parentPort?.on('message', (order: ExtractOrder) => {
  try {
    const result =
      order.kind === 'page' ? extractPage(order.bytes, order.contentType) : readSitemap(order.bytes, order.limitBytes)
    parentPort?.postMessage({ result })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})

parentPort?.postMessage('ready')
