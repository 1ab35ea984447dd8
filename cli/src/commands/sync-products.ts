import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createClient } from '@docent/sdk'
import { readFeed } from '../../../server/src/catalogue/feeds/read-feed.ts'
import { type Command, FAILED, OK, type Terminal, text, UsageError } from '../command.ts'
import { serverUrl } from '../server.ts'

const PRODUCTS_PER_REQUEST = 2000

export const syncProducts: Command = {
  name: 'sync-products',
  summary: "send a shop's catalogue to a bot",
  usage: `<file> [--replace]

Sends a catalogue to the bot of a sync key: JSON, NDJSON, CSV, Google Merchant XML (RSS, Atom), or the CSV exports of
Shopify and WooCommerce. The format is detected.

  --replace            remove products missing from the file, once all have arrived
  --dry-run            check and report without changing anything
  --currency <code>    for prices without a currency, such as EUR
  --key-file <path>    the sync key; default: DOCENT_SYNC_KEY
  --server <url>       default: DOCENT_URL, else http://localhost:8080`,
  options: {
    replace: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    currency: { type: 'string' },
    'key-file': { type: 'string' },
    server: { type: 'string' },
  },

  async run(input, terminal) {
    const [file, ...others] = input.positionals
    if (!file || others.length > 0) throw new UsageError('Give one file.')
    const currency = text(input, 'currency')
    const isReplace = input.values.replace === true
    const isDryRun = input.values['dry-run'] === true
    if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
    const token = readSyncKey(text(input, 'key-file'), terminal)
    const { format, entries } = await readFeed(createReadStream(file))
    const items = (await Array.fromAsync(entries)).flat()
    if (items.length === 0) throw new Error(`${file} has no products.`)
    // Invalid items are sent too, so that the server explains why it rejects them.
    const products = items.map((entry) => (entry.kind === 'bad_item' ? null : entry.value))
    const client = createClient({ baseUrl: serverUrl(input, terminal), token, timeoutMs: 300_000 })
    const options = {
      ...(isReplace ? { mode: 'replace' as const, sync_id: randomUUID() } : {}),
      ...(isDryRun ? { dry_run: true } : {}),
      ...(currency ? { currency: currency.toUpperCase() } : {}),
    }
    const total = { received: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
    const errors: { index: number; id: string | null; message: string }[] = []
    const warnings: typeof errors = []
    const bar = terminal.progress()
    for (let start = 0; start < products.length; start += PRODUCTS_PER_REQUEST) {
      bar.show(start, products.length, file)
      // The server knows each shop's field names.
      const batch = products.slice(start, start + PRODUCTS_PER_REQUEST) as { id: string; title: string }[]
      const isLast = start + PRODUCTS_PER_REQUEST >= products.length
      const body = { ...options, ...(isReplace && isLast ? { final: true } : {}), products: batch }
      const report = await client.request('POST /api/v1/chat/sync-products', { body })
      for (const count of Object.keys(total) as (keyof typeof total)[]) total[count] += report[count]
      const place = ({ index, id, message }: (typeof errors)[number]) => ({ index: start + index, id, message })
      errors.push(...report.errors.map(place))
      warnings.push(...report.warnings.map(place))
    }
    bar.end()
    const { created, updated, unchanged, deleted, failed } = total
    terminal.say(
      `${file} (${format}): ${created} new, ${updated} changed, ${unchanged} unchanged, ${deleted} removed, ${failed} refused`,
    )
    for (const { index, id, message } of [...errors, ...warnings])
      terminal.say(`  ${index + 1} (${id ?? 'no id'}): ${message}`)
    terminal.result({ file, format, dry_run: isDryRun, ...total, errors, warnings })
    return failed > 0 ? FAILED : OK
  },
}

function readSyncKey(path: string | undefined, { environment }: Terminal): string {
  const key = path ? readFileSync(path, 'utf8').trim() : environment.DOCENT_SYNC_KEY
  if (!key) throw new Error('No sync key: set DOCENT_SYNC_KEY, or pass --key-file.')
  return key
}
