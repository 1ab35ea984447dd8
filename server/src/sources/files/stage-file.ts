// Stages an upload: small files in memory, large ones in an unnamed file on disk, so that many uploads at once do
// not fill the memory.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomId } from '../../ids.ts'

const MEMORY_BYTES = 256 * 1024

export interface StagedFile {
  sizeBytes: number
  /** Bytes held in memory. */
  memoryBytes: number
  /** Of its content. */
  sha256: string
  /** Reads the whole file into a new buffer. */
  read(): Promise<Buffer>
  close(): Promise<void>
}

export async function stageFile(content: AsyncIterable<Buffer>, folder: string): Promise<StagedFile> {
  const hash = createHash('sha256')
  let chunks: Buffer[] = []
  let heldBytes = 0
  let sizeBytes = 0
  let file: FileHandle | null = null
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      chunks.push(chunk)
      heldBytes += chunk.length
      sizeBytes += chunk.length
      if (heldBytes <= MEMORY_BYTES) continue
      file ??= await openUnnamedFile(folder)
      for (const part of chunks) await file.appendFile(part)
      chunks = []
      heldBytes = 0
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  return {
    sizeBytes,
    memoryBytes: heldBytes,
    sha256: hash.digest('hex'),
    async read() {
      const whole = Buffer.allocUnsafeSlow(sizeBytes)
      const onDisk = sizeBytes - heldBytes
      for (let at = 0; file && at < onDisk; ) {
        const { bytesRead } = await file.read(whole, at, onDisk - at, at)
        if (bytesRead === 0) throw new Error('a staged file is shorter than what was written')
        at += bytesRead
      }
      Buffer.concat(chunks).copy(whole, onDisk)
      return whole
    },
    close: async () => file?.close(),
  }
}

/** Opens a file without a name, which disappears however the process ends. */
export async function openUnnamedFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomId('req'))
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
