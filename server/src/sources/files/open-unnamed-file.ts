import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomId } from '../../ids.ts'

/** Opens a file without a name, which disappears however the process ends. */
export async function openUnnamedFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomId('req'))
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
