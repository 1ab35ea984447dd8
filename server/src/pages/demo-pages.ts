// The help pages of the fictional demo shop, as its visitors would see them.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoOrder } from '../demo/orders.ts'
import { type DemoPage, readDemoPages } from '../demo/pages.ts'
import { demoFrame, demoWords, SHOP } from './demo-frame.ts'
import { demoProductPages } from './demo-product-pages.ts'
import { html, once, readAsset, sendPage } from './page-html.ts'
import { type PageWidget, widgetPolicy } from './page-widget.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Every page shows the widget if there is a demo bot. */
export function demoPages(server: FastifyInstance, widget: () => PageWidget | null) {
  const pages = once(() => new Map(readDemoPages().map((page) => [page.slug, page])))
  const style = once(() => readAsset('base.css') + readAsset('demo.css'))
  const icon = once(() => readAsset('demo-icon.svg'))

  const sendDocument = (request: FastifyRequest, reply: FastifyReply, text: string) =>
    sendPage(request, reply, 'text/html', text, widgetPolicy(widget()))

  const sendDemoPage = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const page = pages().get(name)
    if (!page) throw new Fault('not_found')
    return sendDocument(request, reply, articleHtml(page, [...pages().values()], widget()))
  }

  server.get('/demo', async (request, reply) =>
    sendDocument(request, reply, indexHtml([...pages().values()], widget())),
  )
  // A crawl of "/demo/" begins there.
  server.get('/demo/', async (_, reply) => reply.redirect('/demo', 308))
  demoProductPages(server, widget)
  server.get('/demo/demo.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  // A bot made from the shop shows it as its logo, wherever it is.
  server.get('/demo/icon.svg', async (request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendPage(request, reply, 'image/svg+xml', icon())
  })
  server.get<{ Params: { number: string } }>('/demo/api/orders/:number', async (request) =>
    demoOrder(request.params.number.slice(0, 20)),
  )
  server.get<{ Params: { page: string } }>('/demo/:page', async (request, reply) =>
    sendDemoPage(request, reply, request.params.page),
  )
  server.get<{ Params: { page: string } }>('/demo/de/:page', async (request, reply) =>
    sendDemoPage(request, reply, `de/${request.params.page}`),
  )
}

function indexHtml(pages: DemoPage[], widget: PageWidget | null): string {
  const group = (language: string, title: string) => html`<section class="topics" lang="${language}"><h2>${title}</h2>
<ul class="cards">${pages
    .filter((page) => page.language === language)
    .map(
      (page) =>
        html`<li><a href="/demo/${page.slug}"><strong>${page.title}</strong><span>${firstSentence(page.markdown)}</span></a></li>`,
    )}</ul></section>`
  return demoFrame(
    'en',
    `Help · ${SHOP}`,
    html`<p class="eyebrow">Help centre</p><h1>How can we help?</h1>
<p class="lead">Delivery, returns, sizes, care: everything about your order and your gear.</p>
${group('en', 'All topics')}
${group('de', 'Auf Deutsch')}`,
    widget,
  )
}

function articleHtml(page: DemoPage, pages: DemoPage[], widget: PageWidget | null): string {
  const text = demoWords(page.language)
  const siblings = pages.filter(({ language, slug: other }) => language === page.language && other !== page.slug)
  return demoFrame(
    page.language,
    `${page.title} · ${SHOP}`,
    html`<p class="back"><a href="/demo">← ${text.help}</a></p>
<article class="help">${renderMarkdown(page.content)}</article>
<footer class="fiction">${renderMarkdown(page.markdown.slice(page.content.length))}</footer>
<nav class="more" aria-label="${text.more}"><h2>${text.more}</h2>
<ul>${siblings.map((other) => html`<li><a href="/demo/${other.slug}">${other.title}</a></li>`)}</ul></nav>`,
    widget,
  )
}

function firstSentence(markdown: string): string {
  const paragraph = /^[^#\s|>*-].*$/m.exec(markdown)?.[0] ?? ''
  return /^.+?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
}
