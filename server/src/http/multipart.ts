// Files of an upload, one after the other, each whole and no larger than allowed.
import { Readable } from 'node:stream'
import { Fault } from '@docent/contract'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'

export interface UploadPart {
  name: string
  bytes: Buffer
  /** Text fields that came before it. */
  fields: Record<string, string>
  isTooLarge: boolean
}

const MOST_FILES = 200
const LONGEST_FIELD_BYTES = 4096

/** Calls `take` for each; the next is read on when it has ended. */
export async function forEachFile(
  request: FastifyRequest,
  limits: { fileBytes: number; bodyBytes: number },
  take: (part: UploadPart) => Promise<void>,
): Promise<void> {
  if (!(request.body instanceof Readable)) throw new Fault('unsupported_media_type')
  const fields: Record<string, string> = {}
  let waiting: Promise<void> = Promise.resolve()
  const parser = newParser(request, limits.fileBytes)
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('error', () => reject(malformed()))
    parser.on('finish', resolve)
    parser.on('filesLimit', () => reject(malformed(`has more than ${MOST_FILES} files`)))
    parser.on('field', (name, value) => {
      if (name !== '__proto__') fields[name] = value
    })
    parser.on('file', (_field, stream, name) => {
      const part = collect(stream, baseName(name ?? ''), { ...fields })
      waiting = waiting.then(async () => take(await part))
      waiting.catch(reject)
    })
  })
  let size = 0
  const { body } = request
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limits.bodyBytes) body.destroy(new Fault('payload_too_large'))
  })
  body.on('error', (error) => parser.destroy(error))
  body.pipe(parser)
  const failed = new Promise<never>((_, reject) => body.on('error', reject))
  failed.catch(() => {})
  await Promise.race([ended, failed])
  await waiting
}

function newParser(request: FastifyRequest, fileSize: number): InstanceType<typeof Busboy> {
  try {
    const headers = request.headers as BusboyHeaders
    return new Busboy({ headers, limits: { fileSize, files: MOST_FILES, fieldSize: LONGEST_FIELD_BYTES, fields: 100 } })
  } catch {
    throw malformed()
  }
}

async function collect(stream: Readable, name: string, fields: Record<string, string>): Promise<UploadPart> {
  const chunks: Buffer[] = []
  let isTooLarge = false
  stream.on('limit', () => {
    isTooLarge = true
  })
  for await (const chunk of stream) chunks.push(chunk)
  return { name, bytes: Buffer.concat(chunks), fields, isTooLarge }
}

/** Browsers of old sent whole paths. */
function baseName(name: string): string {
  return (name.split(/[\\/]/).at(-1) ?? '').slice(0, 200).trim() || 'file'
}

function malformed(message = 'is not a complete multipart form'): Fault {
  return new Fault('validation_failed', { details: [{ path: 'body', message }] })
}
