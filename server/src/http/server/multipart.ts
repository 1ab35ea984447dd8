// Reads the files of an upload one by one, each complete and within the size limit. The next starts when the previous
// one is done.
// Uses @fastify/busboy, the parser under @fastify/multipart, directly: we need our own staging, fields before each file
// and upload errors either way.
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { UploadPart } from '../../sources/files/import-file.ts'
import { stageFile } from '../../sources/files/stage-file.ts'
import { tooLarge } from './bodies.ts'

const MAX_FILES = 200
const LONGEST_FIELD_BYTES = 4096
const LONGEST_NAME = 200

/** For uploads too large for memory. */
export function stagingFolderOf({ dataDir }: Config): string {
  return join(dataDir, 'staging')
}

/** Calls `take` for each complete file. */
export async function forEachFile(
  request: FastifyRequest,
  { fileBytes, stagingFolder }: { fileBytes: number; stagingFolder: string },
  take: (part: UploadPart) => Promise<void>,
): Promise<void> {
  const { body } = request
  if (!(body instanceof Readable)) throw new Fault('unsupported_media_type')
  const { bodyLimit } = request.routeOptions
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge(bodyLimit)
  const parser = newParser(request, fileBytes)
  const fields: Record<string, string> = {}
  let taking: Promise<void> = Promise.resolve()
  let size = 0

  await new Promise<void>((resolve, reject) => {
    // Stop parsing but drain the body, so that the response can still be sent.
    const fail = (error: unknown) => {
      body.unpipe(parser)
      body.resume()
      reject(error)
    }
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bodyLimit) fail(tooLarge(bodyLimit))
    })
    body.on('error', fail)
    body.on('aborted', () => fail(new Fault('request_timeout')))
    parser.on('error', () => fail(malformedForm()))
    parser.on('filesLimit', () => fail(malformedForm(`The form has more than ${MAX_FILES} files.`)))
    parser.on('field', (name, value) => {
      if (name !== '__proto__') fields[name] = value
    })
    parser.on('file', (_field, stream, name) => {
      const fieldsSoFar = { ...fields }
      // A truncated file ends with an error and is discarded.
      stream.on('error', () => fail(malformedForm()))
      // Listen at once: a file that arrives in one chunk hits the limit before its turn.
      let isTooLarge = false
      stream.on('limit', () => {
        isTooLarge = true
      })
      taking = taking.then(() => takeOne(stream, baseName(name ?? ''), fieldsSoFar, () => isTooLarge))
      taking.catch(fail)
    })
    async function takeOne(stream: Readable, name: string, fields: Record<string, string>, isTooLarge: () => boolean) {
      const content = await stageFile(stream, stagingFolder)
      await take({ name, content, fields, isTooLarge: isTooLarge() }).finally(content.close)
    }
    parser.on('finish', () => taking.then(resolve, reject))
    body.pipe(parser)
  })
}

interface WholeFile {
  name: string
  content: Buffer
}

/** Reads the single file of a form. */
export async function readFile(
  request: FastifyRequest,
  limits: { fileBytes: number; stagingFolder: string },
): Promise<{ file: WholeFile; fields: Record<string, string> }> {
  const files: { file: WholeFile; fields: Record<string, string> }[] = []
  await forEachFile(request, limits, async ({ name, content, fields, isTooLarge }) => {
    if (isTooLarge) throw tooLarge(limits.fileBytes, 'The file')
    if (files.length > 0) throw fileFault('Send one file at a time.')
    files.push({ file: { name, content: await content.read() }, fields })
  })
  const [one] = files
  if (!one) throw fileFault('This field is required.')
  return one
}

function fileFault(message: string) {
  return new Fault('validation_failed', { details: [{ path: 'file', message }] })
}

function newParser(request: FastifyRequest, fileSize: number): InstanceType<typeof Busboy> {
  try {
    const headers = request.headers as BusboyHeaders
    return new Busboy({ headers, limits: { fileSize, files: MAX_FILES, fieldSize: LONGEST_FIELD_BYTES, fields: 100 } })
  } catch {
    throw malformedForm()
  }
}

/** Old browsers sent whole paths. Long names lose their beginning, to keep the extension. */
function baseName(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').slice(-LONGEST_NAME).trim() || 'file'
}

function malformedForm(message = 'The multipart form is incomplete.'): Fault {
  return new Fault('validation_failed', { details: [{ path: 'body', message }] })
}
