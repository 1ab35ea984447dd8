// The first half of a sync: reads, checks and stages all items before anything is written.
import { createHash, hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { REMARKS_PER_SYNC, type SyncRemark } from '@docent/contract'
import { openUnnamedFile } from '../../sources/files/stage-file.ts'
import type { ProductToStore } from '../../storage/products.ts'
import { makeSliceTimer } from '../background-lane.ts'
import { normaliseProduct } from './normalise-product.ts'
import { sharesSign } from './prices.ts'
import type { ItemErrorCode, ItemWarningCode, Remark } from './remarks.ts'

/** An entry of the request body. */
export type SyncEntry =
  | { kind: 'item'; value: unknown }
  | { kind: 'bad_item'; code: ItemErrorCode; message: string }
  | { kind: 'delete'; id: string }

export interface ParsedProducts {
  received: number
  failed: number
  errors: SyncRemark[]
  warnings: SyncRemark[]
  ids: Set<string>
  /** Rejected items with an id: a replace does not delete these products. */
  failedIds: Set<string>
  deleteIds: Set<string>
  /** Products with a price of unknown currency, and the first of them. */
  withoutCurrency: { count: number; index: number; id: string | null }
  /** Identifies repeated requests with the same content. */
  hash: string
}

interface Shop {
  siteUrl: string | null
  now: number
}

export async function readProducts(
  entries: AsyncIterable<SyncEntry[]>,
  stagedRows: StagedRows,
  shop: Shop,
  nextSlice: () => Promise<void>,
): Promise<ParsedProducts> {
  const parsedProducts = {
    received: 0,
    failed: 0,
    errors: [] as SyncRemark[],
    warnings: [] as SyncRemark[],
    ids: new Set<string>(),
    failedIds: new Set<string>(),
    deleteIds: new Set<string>(),
    withoutCurrency: { count: 0, index: 0, id: null as string | null },
  }
  const contentHash = contentHasher()
  const pieceEnds = makeSliceTimer(nextSlice)

  function tell(list: SyncRemark[], id: string | null, remark: Remark<ItemErrorCode | ItemWarningCode>) {
    if (list.length < REMARKS_PER_SYNC) list.push({ index: parsedProducts.received, id, ...remark })
  }

  function take(value: unknown) {
    const { product, id, assumedCurrency, remarks } = normaliseProduct(value, shop)
    for (const warning of remarks.warnings) tell(parsedProducts.warnings, id, warning)
    if (!product) {
      if (id) parsedProducts.failedIds.add(id)
      return remarks.refusal ?? { code: 'invalid_item' as const, message: 'The item could not be read.' }
    }
    if (parsedProducts.ids.has(product.id)) {
      tell(parsedProducts.warnings, id, {
        code: 'duplicate_id',
        message: 'This id appears more than once. The last item is used.',
      })
    }
    parsedProducts.ids.add(product.id)
    const body = JSON.stringify(product)
    const row = { hash: hashOf(body), body, id: product.id, title: product.title }
    const { sku, availability } = product
    const lacksCurrency = product.currency === null && product.price !== null
    if (lacksCurrency && !assumedCurrency && parsedProducts.withoutCurrency.count++ === 0) {
      Object.assign(parsedProducts.withoutCurrency, { index: parsedProducts.received, id })
    }
    stagedRows.add({
      ...row,
      sku,
      availability,
      price: product.salePrice ?? product.price,
      currency: lacksCurrency ? (assumedCurrency ?? 'unknown') : 'stated',
    })
    contentHash.add(row.hash)
    return null
  }

  for await (const some of entries) {
    for (const entry of some) {
      const pause = pieceEnds()
      if (pause) await pause
      if (entry.kind === 'delete') {
        parsedProducts.deleteIds.add(entry.id)
        contentHash.add(`-${entry.id}`)
        continue
      }
      const mistake = entry.kind === 'item' ? take(entry.value) : entry
      if (mistake) {
        tell(parsedProducts.errors, idOf(entry), { code: mistake.code, message: mistake.message })
        parsedProducts.failed++
      }
      parsedProducts.received++
    }
    await stagedRows.settle()
  }
  return { ...parsedProducts, hash: contentHash.end() }
}

/** As the caller wrote it, so that they can find the item. */
function idOf(entry: SyncEntry): string | null {
  const id = entry.kind === 'item' ? (entry.value as { id?: unknown } | null)?.id : null
  return typeof id === 'string' || typeof id === 'number' ? String(id).slice(0, 256) : null
}

/** Hashes many short texts in few calls. */
function contentHasher() {
  const whole = createHash('sha256')
  let waiting = ''
  return {
    add(text: string) {
      waiting += `${text}\n`
      if (waiting.length < 10_000) return
      whole.update(waiting)
      waiting = ''
    },
    end: () => whole.update(waiting).digest('base64url'),
  }
}

// Stages products before they are written: small catalogues in memory, large ones in an unnamed file, so that
// memory use stays flat and nothing is written before everything has arrived.
const ROWS_IN_BLOCK = 400
const BLOCK_CHARACTERS = 1_000_000
const MEMORY_CHARACTERS = 8_000_000

interface StagedRow extends ProductToStore {
  /** A code is what the sign of the price usually means. */
  currency: 'stated' | 'unknown' | (string & {})
}

export interface StagedRows {
  add(row: StagedRow): void
  /** Await it now and then: writes what exceeds the memory limit to the file. */
  settle(): Promise<void>
  /** The options of a request may follow its products, so their currency is filled in here. */
  blocks(currencies: DefaultCurrencies): AsyncGenerator<ProductToStore[]>
  close(): Promise<void>
}

export function stageRows(folder: string): StagedRows {
  // A block is text in memory, or a range of the file.
  const blocks: (string | { start: number; bytes: number })[] = []
  let lines: string[] = []
  let lineCharacters = 0
  let heldCharacters = 0
  let firstHeld = 0
  let file: FileHandle | null = null
  let fileBytes = 0

  function endBlock() {
    if (lines.length === 0) return
    const block = lines.join('\n')
    blocks.push(block)
    heldCharacters += block.length
    lines = []
    lineCharacters = 0
  }

  async function moveToFile() {
    file ??= await openUnnamedFile(folder)
    for (; firstHeld < blocks.length; firstHeld++) {
      const block = blocks[firstHeld]
      if (typeof block !== 'string') continue
      const bytes = Buffer.from(block)
      await file.write(bytes, 0, bytes.length, fileBytes)
      blocks[firstHeld] = { start: fileBytes, bytes: bytes.length }
      fileBytes += bytes.length
    }
    heldCharacters = 0
  }

  return {
    add(row) {
      const line = encode(row)
      lines.push(line)
      lineCharacters += line.length
      if (lines.length >= ROWS_IN_BLOCK || lineCharacters >= BLOCK_CHARACTERS) endBlock()
    },
    async settle() {
      if (heldCharacters > MEMORY_CHARACTERS) await moveToFile()
    },
    async *blocks(currencies) {
      endBlock()
      for (const block of blocks)
        yield (typeof block === 'string' ? block : await read(file, block))
          .split('\n')
          .map((line) => withCurrency(decode(line), currencies))
    },
    async close() {
      await file?.close()
    },
  }
}

/** JSON contains no raw tabs or line breaks, and the other fields are single lines. */
function encode({ id, hash, title, sku, availability, price, currency, body }: StagedRow): string {
  return `${hash}\t${id}\t${sku ?? ''}\t${availability ?? ''}\t${price ?? ''}\t${currency}\t${title}\t${body}`
}

function decode(line: string): StagedRow {
  const [hash = '', id = '', sku = '', availability = '', price = '', currency = '', title = '', body = ''] =
    line.split('\t')
  return {
    id,
    hash,
    title,
    sku: sku || null,
    availability: availability || null,
    price: price === '' ? null : Number(price),
    currency,
    body,
  }
}

interface DefaultCurrencies {
  /** The feed's or the sync request's. */
  request: string | null
  bot: string | null
}

/** The bot's setting is used in answers, so that a change takes effect at once; here it only tells what "$" means. */
function withCurrency(
  { currency: stagedCurrency, ...row }: StagedRow,
  { request, bot }: DefaultCurrencies,
): ProductToStore {
  if (stagedCurrency === 'stated') return row
  const fittingCurrency = [request, bot].find((code) => code !== null && sharesSign(stagedCurrency, code))
  const code = stagedCurrency === 'unknown' ? request : (fittingCurrency ?? stagedCurrency)
  if (code === null) return row
  // No other key of that name has a null, and quotes within texts are escaped.
  const body = row.body.replace('"currency":null', `"currency":"${code}"`)
  return { ...row, body, hash: hashOf(body) }
}

function hashOf(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 22)
}

async function read(file: FileHandle | null, { start, bytes }: { start: number; bytes: number }): Promise<string> {
  const buffer = Buffer.allocUnsafe(bytes)
  await file?.read(buffer, 0, bytes, start)
  return buffer.toString('utf8')
}
