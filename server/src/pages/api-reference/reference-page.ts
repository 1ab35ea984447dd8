// The API documentation: the OpenAPI document, and pages generated from it. They are large, so they are packed once.
import { readFileSync } from 'node:fs'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fontFace } from '../brand.ts'
import { type PackedFile, packedFile, sendPackedFile } from '../packed-file.ts'
import { once, pageHeaders, readAsset, STRICT_POLICY } from '../page-html.ts'
import type { ApiDocument } from './document.ts'
import { referencePages } from './reference-html.ts'

/** "Try it" calls this server. */
const POLICY = `${STRICT_POLICY}; connect-src 'self'`
const STYLES = ['base', 'docs', 'cards', 'docs-parts', 'docs-samples', 'try-it']

export function apiReferencePage(server: FastifyInstance, makeDocument: () => object) {
  const document = once(makeDocument)
  const texts = once(() => referencePages(document() as ApiDocument))
  const packedFiles = new Map<string, PackedFile>()
  const packOnce = (name: string, type: string, read: () => string) => {
    const file = packedFiles.get(name) ?? packedFile(`${type}; charset=utf-8`, Buffer.from(read()))
    packedFiles.set(name, file)
    return file
  }
  const send = (request: FastifyRequest, reply: FastifyReply, file: PackedFile) =>
    sendPackedFile(request, reply.headers(pageHeaders).header('content-security-policy', POLICY), file)
  const sendHtml = (request: FastifyRequest, reply: FastifyReply, slug: string) => {
    const text = texts().get(slug)
    if (text === undefined) throw new Fault('not_found')
    return send(
      request,
      reply,
      packOnce(`/${slug}`, 'text/html', () => text),
    )
  }
  const style = () => fontFace() + STYLES.map((name) => readAsset(`${name}.css`)).join('')
  // Literal paths, so that knip sees that the files are used.
  const script = () =>
    [new URL('../assets/docs.js', import.meta.url), new URL('../assets/try-it.js', import.meta.url)]
      .map((url) => readFileSync(url, 'utf8'))
      .join('')
  const json = () => JSON.stringify(document())

  server.get('/docs/api', async (request, reply) => sendHtml(request, reply, ''))
  server.get<{ Params: { group: string } }>('/docs/api/:group', async (request, reply) =>
    sendHtml(request, reply, request.params.group),
  )
  const files = [
    ['/docs/api.css', 'text/css', style],
    ['/docs/api.js', 'text/javascript', script],
    ['/openapi.json', 'application/json', json],
  ] as const
  for (const [path, type, read] of files)
    server.get(path, async (request, reply) => send(request, reply, packOnce(path, type, read)))
}
