// The docs site: the guides of this release at /docs, with a search and the docs bot's widget.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readGuides } from '../../docs/guides.ts'
import { makeGuideSearch } from '../../docs/search-guides.ts'
import { fontFace } from '../brand.ts'
import { once, readAsset, sendPage } from '../page-html.ts'
import { type PageWidget, widgetPolicy } from '../page-widget.ts'
import { guideHtml, resultsHtml, startHtml } from './guide-html.ts'

const IMAGES = fileURLToPath(new URL('../../../../docs/images/dashboard/', import.meta.url))
const LONGEST_QUERY = 200

/** Every page shows the widget if there is a docs bot. */
export function guidePages(server: FastifyInstance, widget: () => PageWidget | null) {
  const guides = once(readGuides)
  const search = once(() => makeGuideSearch(guides()))
  const style = once(
    () => fontFace() + ['base', 'docs', 'cards', 'guides'].map((name) => readAsset(`${name}.css`)).join(''),
  )
  const images = once(() => new Set(readdirSync(IMAGES)))

  const sendDocument = (request: FastifyRequest, reply: FastifyReply, text: string) =>
    sendPage(
      request,
      reply,
      'text/html',
      text,
      widgetPolicy(widget()).replace("form-action 'none'", "form-action 'self'"),
    )

  server.get('/docs', async (request, reply) => sendDocument(request, reply, startHtml(guides(), widget())))
  server.get('/docs/guides.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  server.get<{ Querystring: { q?: string | string[] } }>('/docs/search', async (request, reply) => {
    const query = String(request.query.q ?? '')
      .trim()
      .slice(0, LONGEST_QUERY)
    if (!query) return reply.redirect('/docs', 302)
    return sendDocument(request, reply, resultsHtml(query, search()(query), guides(), widget()))
  })
  server.get<{ Params: { name: string } }>('/docs/images/:name', async (request, reply) => {
    const { name } = request.params
    if (!images().has(name)) throw new Fault('not_found')
    return reply
      .type('image/jpeg')
      .header('cache-control', 'no-cache')
      .send(readFileSync(IMAGES + name))
  })
  server.get<{ Params: { slug: string } }>('/docs/:slug', async (request, reply) => {
    const guide = guides().find(({ slug }) => slug === request.params.slug)
    if (!guide) throw new Fault('not_found')
    return sendDocument(request, reply, guideHtml(guide, guides(), widget()))
  })
}
