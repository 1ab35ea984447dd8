// Stages products before they are written: small catalogues in memory, large ones in an unnamed file, so that
// memory use stays flat and nothing is written before everything has arrived.
import type { FileHandle } from 'node:fs/promises'
import { openUnnamedFile } from '../../sources/files/open-unnamed-file.ts'
import type { ProductToStore } from '../../storage/products.ts'

const ROWS_IN_BLOCK = 400
const BLOCK_CHARACTERS = 1_000_000
const MEMORY_CHARACTERS = 8_000_000

export interface StagedRows {
  add(row: ProductToStore): void
  /** Await it now and then: writes what exceeds the memory limit to the file. */
  settle(): Promise<void>
  blocks(): AsyncGenerator<ProductToStore[]>
  close(): Promise<void>
}

export function stageRows(folder: string): StagedRows {
  // A block is text in memory, or a range of the file.
  const blocks: (string | { start: number; bytes: number })[] = []
  let lines: string[] = []
  let lineCharacters = 0
  let held = 0
  let firstHeld = 0
  let file: FileHandle | null = null
  let fileBytes = 0

  function endBlock() {
    if (lines.length === 0) return
    const block = lines.join('\n')
    blocks.push(block)
    held += block.length
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
    held = 0
  }

  return {
    add(row) {
      const line = encode(row)
      lines.push(line)
      lineCharacters += line.length
      if (lines.length >= ROWS_IN_BLOCK || lineCharacters >= BLOCK_CHARACTERS) endBlock()
    },
    async settle() {
      if (held > MEMORY_CHARACTERS) await moveToFile()
    },
    async *blocks() {
      endBlock()
      for (const block of blocks)
        yield (typeof block === 'string' ? block : await read(file, block)).split('\n').map(decode)
    },
    async close() {
      await file?.close()
    },
  }
}

/** JSON contains no raw tabs or line breaks, and the other fields are single lines. */
function encode({ id, hash, title, sku, availability, price, body }: ProductToStore): string {
  return `${hash}\t${id}\t${sku ?? ''}\t${availability ?? ''}\t${price ?? ''}\t${title}\t${body}`
}

function decode(line: string): ProductToStore {
  const [hash = '', id = '', sku = '', availability = '', price = '', title = '', body = ''] = line.split('\t')
  return {
    ...{ id, hash, title, sku: sku || null, availability: availability || null },
    price: price === '' ? null : Number(price),
    body,
  }
}

async function read(file: FileHandle | null, { start, bytes }: { start: number; bytes: number }): Promise<string> {
  const buffer = Buffer.allocUnsafe(bytes)
  await file?.read(buffer, 0, bytes, start)
  return buffer.toString('utf8')
}
