// Sends a file of products to a bot.
//
//   DOCENT_SYNC_KEY=dct_sync_… node_modules/.bin/node examples/shop-sync/sync.ts <file> [base URL]
import { readFileSync } from 'node:fs'

const PRODUCTS_PER_REQUEST = 5000
const [file, baseUrl = 'http://localhost:8080'] = process.argv.slice(2)
const syncKey = process.env.DOCENT_SYNC_KEY
if (!file || !syncKey) {
  console.error('DOCENT_SYNC_KEY=dct_sync_… node_modules/.bin/node examples/shop-sync/sync.ts <file> [base URL]')
  process.exit(1)
}

const products: unknown[] = JSON.parse(readFileSync(file, 'utf8'))
// A new name each time: what is sent under it belongs together.
const syncId = `shop-${Date.now()}`

for (let start = 0; start < products.length; start += PRODUCTS_PER_REQUEST) {
  const report = await send({ products: products.slice(start, start + PRODUCTS_PER_REQUEST) })
  console.log(
    `${report.created} new, ${report.updated} changed, ${report.unchanged} as before, ${report.failed} refused`,
  )
  for (const { index, id, message } of report.errors) console.log(`  ${start + index} (${id ?? 'no id'}): ${message}`)
}
// Only now, when all of it has arrived, goes what the shop no longer has.
const { deleted } = await send({ final: true })
console.log(`${deleted} removed`)

interface Report {
  created: number
  updated: number
  unchanged: number
  deleted: number
  failed: number
  errors: { index: number; id: string | null; message: string }[]
}

async function send(body: object): Promise<Report> {
  const response = await fetch(`${baseUrl}/api/v1/chat/sync-products`, {
    method: 'POST',
    headers: { 'X-Service-Key': syncKey ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ mode: 'replace', sync_id: syncId, ...body }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  console.error(`${response.status} ${answer.error.code}: ${answer.error.message}`)
  process.exit(1)
}
