// Reads entries of a ZIP archive by its central directory. Declared sizes are not trusted.
import { inflateRawSync } from 'node:zlib'
import { UnreadableFile } from '../extraction/parse-limits.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
// Marks ZIP64 archives.
const MANY = 0xffff

export interface ZipEntry {
  name: string
  isEncrypted: boolean
  method: number
  size: number
  offset: number
}

export function listZipEntries(zip: Buffer): ZipEntry[] {
  return readable(() => {
    const end = findEnd(zip)
    const count = zip.readUInt16LE(end + 10)
    if (count === MANY) throw new UnreadableFile('This archive has too many files.')
    const entries: ZipEntry[] = []
    for (let at = zip.readUInt32LE(end + 16); entries.length < count; ) {
      if (zip.readUInt32LE(at) !== ENTRY) throw new UnreadableFile('This file is damaged.')
      const nameLength = zip.readUInt16LE(at + 28)
      entries.push({
        name: zip.toString('utf8', at + 46, at + 46 + nameLength),
        isEncrypted: (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
        method: zip.readUInt16LE(at + 10),
        size: zip.readUInt32LE(at + 20),
        offset: zip.readUInt32LE(at + 42),
      })
      at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    }
    return entries
  })
}

export function unpackEntry(zip: Buffer, { method, size, offset }: ZipEntry, maxBytes: number): Buffer {
  return readable(() => {
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const data = zip.subarray(start, start + size)
    if (method === DEFLATED) return inflateRawSync(data, { maxOutputLength: maxBytes })
    if (method !== STORED) throw new UnreadableFile('This file uses an unsupported compression.')
    if (data.length > maxBytes) throw new UnreadableFile('This file is too large once decompressed.')
    return data
  })
}

function readable<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new UnreadableFile(tooLarge ? 'This file is too large once decompressed.' : 'This file is damaged.')
  }
}

function findEnd(zip: Buffer): number {
  const earliest = Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT)
  for (let at = zip.length - END_BYTES; at >= earliest; at--) if (zip.readUInt32LE(at) === END) return at
  throw new UnreadableFile('This file is damaged or incomplete.')
}
