// The API documentation: the OpenAPI document, and a page generated from it.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { once, readAsset, sendPage, taggedPage } from '../page-html.ts'
import type { ApiDocument } from './document.ts'
import { docsHtml } from './reference-html.ts'

export function apiReferencePage(server: FastifyInstance, makeDocument: () => object) {
  const document = once(makeDocument)
  const page = once(() => taggedPage(docsHtml(document() as ApiDocument)))
  const style = once(() =>
    ['base', 'docs', 'docs-parts', 'docs-samples'].map((name) => readAsset(`${name}.css`)).join(''),
  )
  // A literal path, so that knip sees that the file is used.
  const script = once(() => readFileSync(new URL('../assets/docs.js', import.meta.url), 'utf8'))
  const json = once(() => taggedPage(JSON.stringify(document())))

  server.get('/docs/api', async (request, reply) => sendPage(request, reply, 'text/html', page()))
  server.get('/docs/api.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  server.get('/docs/api.js', async (request, reply) => sendPage(request, reply, 'text/javascript', script()))
  server.get('/openapi.json', async (request, reply) => sendPage(request, reply, 'application/json', json()))
}
