// A file that changes only with a release, compressed once and sent in an encoding the client accepts.
import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface PackedFile {
  type: string
  tag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

export function packedFile(type: string, plain: Buffer): PackedFile {
  return {
    type,
    tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    plain,
    br: brotliCompressSync(plain, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    gzip: gzipSync(plain, { level: 9 }),
  }
}

export function sendPackedFile(request: FastifyRequest, reply: FastifyReply, file: PackedFile): FastifyReply {
  const acceptedEncodings = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find((name) => accepts(acceptedEncodings, name))
  // Each encoding has different bytes, so it needs its own tag.
  const tag = `"${file.tag}${encoding ? `-${encoding}` : ''}"`
  reply.header('etag', tag).header('vary', 'accept-encoding').type(file.type)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(file[encoding ?? 'plain'])
}

export function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((each) => each.trim())
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })
}
