// Files of an upload, one after the other, each whole and no larger than allowed. The next is read when the one before
// is done with.
// Uses @fastify/busboy, the parser under @fastify/multipart, directly: staging, the fields before each file and the
// errors of a broken upload are ours either way.
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { UploadPart } from '../../knowledge/files/import-upload.ts'
import { stageFile } from '../../knowledge/files/stage-file.ts'

const MOST_FILES = 200
const LONGEST_FIELD_BYTES = 4096
const LONGEST_NAME = 200

/** Calls `take` for each file that came whole. */
export async function forEachFile(
  request: FastifyRequest,
  { fileBytes, stagingFolder }: { fileBytes: number; stagingFolder: string },
  take: (part: UploadPart) => Promise<void>,
): Promise<void> {
  const { body } = request
  if (!(body instanceof Readable)) throw new Fault('unsupported_media_type')
  const { bodyLimit } = request.routeOptions
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw new Fault('payload_too_large')
  const parser = newParser(request, fileBytes)
  const fields: Record<string, string> = {}
  let taking: Promise<void> = Promise.resolve()
  let size = 0

  await new Promise<void>((resolve, reject) => {
    // Nothing more is read, and the answer can still be sent: the connection ends after it.
    const fail = (error: unknown) => {
      body.unpipe(parser)
      body.resume()
      reject(error)
    }
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bodyLimit) fail(new Fault('payload_too_large'))
    })
    body.on('error', fail)
    body.on('aborted', () => fail(new Fault('request_timeout')))
    parser.on('error', () => fail(malformed()))
    parser.on('filesLimit', () => fail(malformed(`has more than ${MOST_FILES} files`)))
    parser.on('field', (name, value) => {
      if (name !== '__proto__') fields[name] = value
    })
    parser.on('file', (_field, stream, name) => {
      const known = { ...fields }
      // A file that is cut off ends with an error, and nothing is taken of it.
      stream.on('error', () => fail(malformed()))
      // Heard from the start: a file that came in one piece is cut off before it is its turn.
      let isTooLarge = false
      stream.on('limit', () => {
        isTooLarge = true
      })
      taking = taking.then(() => takeOne(stream, baseName(name ?? ''), known, () => isTooLarge))
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

export interface WholeFile {
  name: string
  content: Buffer
}

/** The one file of a form, whole. */
export async function readFile(
  request: FastifyRequest,
  limits: { fileBytes: number; stagingFolder: string },
): Promise<{ file: WholeFile; fields: Record<string, string> }> {
  const files: { file: WholeFile; fields: Record<string, string> }[] = []
  await forEachFile(request, limits, async ({ name, content, fields, isTooLarge }) => {
    if (isTooLarge) throw new Fault('payload_too_large')
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
    return new Busboy({ headers, limits: { fileSize, files: MOST_FILES, fieldSize: LONGEST_FIELD_BYTES, fields: 100 } })
  } catch {
    throw malformed()
  }
}

/** Old browsers sent whole paths. A long name loses its beginning: the end holds the file type. */
function baseName(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').slice(-LONGEST_NAME).trim() || 'file'
}

function malformed(message = 'The multipart form is incomplete.'): Fault {
  return new Fault('validation_failed', { details: [{ path: 'body', message }] })
}
