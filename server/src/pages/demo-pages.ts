// The help and product pages of the fictional demo shop, as its visitors would see them.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoOrder } from '../demo/orders.ts'
import { type DemoPage, type DemoProduct, demoProducts, readDemoPages } from '../demo/shop.ts'
import {
  type Html,
  html,
  once,
  type PageWidget,
  pageHtml,
  readAsset,
  sendPage,
  widgetPolicy,
  widgetScript,
} from './page-html.ts'
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

const SHOP = 'Fernweh & Field'

const words = {
  en: {
    banner: 'This is a demo. The shop, its brands, people and prices are invented; nothing can be bought here.',
    help: 'All help pages',
    more: 'More help',
  },
  de: {
    banner: 'Dies ist eine Demo. Shop, Marken, Personen und Preise sind erfunden; kaufen kann man hier nichts.',
    help: 'Alle Hilfeseiten',
    more: 'Weitere Hilfe',
  },
}

function demoWords(language: string) {
  return words[language === 'de' ? 'de' : 'en']
}

function demoFrame(language: string, title: string, content: Html, widget: PageWidget | null): string {
  const { banner } = demoWords(language)
  return pageHtml({
    title,
    description: banner,
    language,
    stylesheet: '/demo/demo.css',
    icon: '/demo/icon.svg',
    body: html`<header><p class="banner">${banner}</p>
<div class="top"><a class="brand" href="/demo">${SHOP}</a><nav class="links" aria-label="Site"><a href="/docs" lang="en">Docent docs</a></nav></div></header>
<main id="content" class="shop">${content}</main>
${widgetScript(widget)}`,
  })
}

// A page and a picture for each product, so that recommendations lead somewhere.

/** One line drawing and one colour per kind of product, on a 24 × 24 grid. */
const drawings: Record<string, { hue: number; path: string }> = {
  Clothing: { hue: 150, path: 'M9 4 4 7l2 4 2-1v10h8V10l2 1 2-4-5-3a3 3 0 0 1-6 0z' },
  Footwear: { hue: 25, path: 'M5 5v13h15v-3c0-2-5-2-7-6l-1-4zM5 15h15' },
  Bags: { hue: 205, path: 'M7 9a5 5 0 0 1 10 0v11H7zM10 5V3h4v2M10 14h4v3h-4z' },
  Camping: { hue: 85, path: 'M12 4 3 20h18zM12 11l-4 9M12 11l4 9' },
  Kids: { hue: 320, path: 'M12 3a5 6 0 0 1 0 12 5 6 0 0 1 0-12zM12 15v6' },
  Accessories: { hue: 265, path: 'M9 3h6v3l2 3v11H7V9l2-3zM7 13h10' },
}
const otherDrawing = { hue: 45, path: 'M4 7h16v11H4zM4 11h16M12 7v11' }

const stock: Record<string, string> = {
  in_stock: 'In stock',
  out_of_stock: 'Out of stock',
  preorder: 'Pre-order',
  backorder: 'On back order',
}

function demoProductPages(server: FastifyInstance, widget: () => PageWidget | null) {
  const products = once(() => new Map(demoProducts().map((product) => [product.link.split('/').at(-1) ?? '', product])))
  const find = (slug: string) => {
    const product = products().get(slug)
    if (!product) throw new Fault('not_found')
    return product
  }
  server.get<{ Params: { slug: string } }>('/demo/products/:slug', async (request, reply) => {
    const { slug } = request.params
    return sendPage(request, reply, 'text/html', productHtml(slug, find(slug), widget()), widgetPolicy(widget()))
  })
  server.get<{ Params: { slug: string } }>('/demo/images/:slug.svg', async (request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendPage(request, reply, 'image/svg+xml', pictureOf(find(request.params.slug)))
  })
}

function productHtml(slug: string, product: DemoProduct, widget: PageWidget | null): string {
  const { title, description, price, currency, availability, brand, product_type, attributes = {} } = product
  const money = new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(price)
  const rows = Object.entries({ brand, category: product_type, ...attributes })
  return demoFrame(
    'en',
    `${title} · ${SHOP}`,
    html`<p class="back"><a href="/demo">← ${demoWords('en').help}</a></p>
<article class="help product"><img src="/demo/images/${slug}.svg" alt="" width="240" height="240">
<h1>${title}</h1><p>${description}</p><p><strong>${money}</strong> · ${stock[availability] ?? availability}</p>
<table><caption class="unseen">Details</caption><tbody>${rows.map(
      ([name, value]) => html`<tr><th scope="row">${name.replaceAll('_', ' ')}</th><td>${String(value)}</td></tr>`,
    )}</tbody></table></article>`,
    widget,
  )
}

function pictureOf({ title, product_type }: DemoProduct): string {
  const { hue, path } = drawings[product_type.split(' > ')[0] ?? ''] ?? otherDrawing
  // Vary the colour slightly among products of a kind.
  const shade = hue + ([...title].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 40) - 20
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="hsl(${shade} 35% 90%)"/><path transform="translate(12 12)" d="${path}" fill="none" stroke="hsl(${shade} 40% 30%)" stroke-width="1.2" stroke-linejoin="round" stroke-linecap="round"/></svg>`
    .text
}
