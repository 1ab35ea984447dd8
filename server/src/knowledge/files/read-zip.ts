// One entry of a ZIP archive, by its name. The directory at the end of the file tells where it is; how large it claims to
// be is not believed.
import { inflateRawSync } from 'node:zlib'
import { UnreadableFile } from './unreadable-file.ts'

const END = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const STORED = 0
const DEFLATED = 8

/** Undefined when there is no such entry. */
export function readZipEntry(zip: Buffer, name: string, mostBytes: number): Buffer | undefined {
  try {
    const found = findEntry(zip, name)
    if (!found) return undefined
    const { method, size, offset } = found
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const data = zip.subarray(start, start + size)
    if (method === STORED) return data
    if (method !== DEFLATED) throw new UnreadableFile('This file uses an unsupported compression.')
    return inflateRawSync(data, { maxOutputLength: mostBytes })
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    const tooLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new UnreadableFile(tooLarge ? 'This file is too large once decompressed.' : 'This file is damaged.')
  }
}

function findEntry(zip: Buffer, name: string) {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new UnreadableFile('This file is damaged.')
    const nameLength = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name)
      return { method: zip.readUInt16LE(at + 10), size: zip.readUInt32LE(at + 20), offset: zip.readUInt32LE(at + 42) }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return undefined
}

function findEnd(zip: Buffer): number {
  const earliest = Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT)
  for (let at = zip.length - END_BYTES; at >= earliest; at--) if (zip.readUInt32LE(at) === END) return at
  throw new UnreadableFile('This file is damaged or incomplete.')
}
