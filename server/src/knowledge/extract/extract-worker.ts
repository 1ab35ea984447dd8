import { parentPort } from 'node:worker_threads'
import { readFile } from '../files/read-file.ts'
import { extractPage } from './extract-page.ts'
import type { ExtractOrder } from './extractor.ts'
import { readSitemap } from './read-sitemap.ts'

parentPort?.on('message', async (order: ExtractOrder) => {
  try {
    parentPort?.postMessage({ result: await carryOut(order) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})

function carryOut(order: ExtractOrder): unknown {
  if (order.kind === 'page') return extractPage(order.bytes, order.contentType)
  if (order.kind === 'sitemap') return readSitemap(order.bytes, order.limitBytes)
  return readFile(order.name, Buffer.from(order.bytes))
}

parentPort?.postMessage('ready')
