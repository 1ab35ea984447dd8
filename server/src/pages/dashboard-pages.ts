// The dashboard as built by Vite. All its paths get the same document; assets have a hash in their name, so browsers
// cache them forever. Read from disk once, on the first request.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, SCREENS } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from './packed-file.ts'
import { once } from './page-html.ts'

/** First path segments of the dashboard's screens; all other paths belong to the API. */
const FIRST_SEGMENTS = new Set(Object.values(SCREENS).flatMap((path) => path.split('/')[1] || []))

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const ENCODINGS = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
] as const

const headersWith = (widgetAddress: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    // The page of a bot's chat.
    `frame-src 'self' ${widgetAddress}`.trim(),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
})

interface Build {
  document: Buffer
  tag: string
  /** By name, including the compressed variants. */
  assets: Map<string, Buffer>
}

/** `widgetAddress` is where chats are served, if not here. */
export function dashboardPages(server: FastifyInstance, widgetAddress: string, folder = builtFolder()) {
  const headers = headersWith(widgetAddress)
  const build = once(() => readBuild(folder))

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const { document, tag } = build() ?? throwNotBuilt()
    reply.headers(headers).header('cache-control', 'no-cache').header('etag', tag).type('text/html; charset=utf-8')
    return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(document)
  }
  // Without a build, show the docs.
  server.get('/', async (request, reply) => (build() ? sendDocument(request, reply) : reply.redirect('/docs', 302)))
  for (const segment of FIRST_SEGMENTS) {
    server.get(`/${segment}`, sendDocument)
    server.get(`/${segment}/*`, sendDocument)
  }
  server.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { assets } = build() ?? throwNotBuilt()
    const { name } = request.params
    const type = CONTENT_TYPES[extname(name)]
    const plain = assets.get(name)
    if (!plain || !type) throw new Fault('not_found')
    const acceptedEncodings = request.headers['accept-encoding'] ?? ''
    const variant = ENCODINGS.find(
      ({ encoding, extension }) => accepts(acceptedEncodings, encoding) && assets.has(name + extension),
    )
    if (variant) reply.header('content-encoding', variant.encoding)
    return reply
      .headers(headers)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .type(type)
      .send(variant ? assets.get(name + variant.extension) : plain)
  })
}

function readBuild(folder: string): Build | null {
  try {
    const document = readFileSync(join(folder, 'index.html'))
    const names = readdirSync(join(folder, 'assets'))
    return {
      document,
      tag: `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`,
      assets: new Map(names.map((name) => [name, readFileSync(join(folder, 'assets', name))])),
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function throwNotBuilt(): never {
  throw new Fault('not_found', { message: 'The dashboard has not been built. "npm start" builds it.' })
}

function builtFolder(): string {
  return fileURLToPath(new URL('../../../dashboard/dist', import.meta.url))
}
