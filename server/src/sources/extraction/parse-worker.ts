// The parser thread. Parsers are loaded on first use: loading the HTML parser takes longer than reading a text file.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { ParseLimits, UnreadableFile } from './parse-limits.ts'
import type { ParseOrder, ThreadMessage } from './parse-thread.ts'

const LOW_PRIORITY = 5
const limits = workerData as ParseLimits

// On Linux this applies to this thread only: questions have priority over parsing when CPUs are scarce.
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY)

parentPort?.on('message', async (order: ParseOrder) => {
  try {
    const carryOut = await reader(order)
    // Loading time must not count towards the document.
    post('ready')
    post({ result: await carryOut() })
  } catch (error) {
    const { name, message, problem } = error as UnreadableFile
    post({ error: { message: String(message), ...(name === 'UnreadableFile' ? { problem } : {}) } })
  }
})

function post(message: ThreadMessage) {
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
  if (order.kind === 'website') {
    const { readSiteHead } = await import('../website/read-site-head.ts')
    return () => readSiteHead(order.bytes, order.contentType)
  }
  if (order.kind === 'stylesheet') {
    const { siteColour } = await import('../website/read-site-head.ts')
    return () => siteColour(order.declared, order.styles)
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
