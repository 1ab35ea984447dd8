// A page and a picture for each product of the fictional demo shop, so that recommendations lead somewhere.
import { Fault } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import { type DemoProduct, demoProducts } from '../demo/products.ts'
import { demoFrame, demoWords, SHOP } from './demo-frame.ts'
import { html, once, sendPage } from './page-html.ts'
import { type PageWidget, widgetPolicy } from './page-widget.ts'

/** One line drawing and one colour per kind of product, on a 24 × 24 grid. */
const drawings: Record<string, { hue: number; path: string }> = {
  Clothing: { hue: 150, path: 'M9 4 4 7l2 4 2-1v10h8V10l2 1 2-4-5-3a3 3 0 0 1-6 0z' },
  Footwear: { hue: 25, path: 'M5 5v13h15v-3c0-2-5-2-7-6l-1-4zM5 15h15' },
  Bags: { hue: 205, path: 'M7 9a5 5 0 0 1 10 0v11H7zM10 5V3h4v2M10 14h4v3h-4z' },
  Camping: { hue: 85, path: 'M12 4 3 20h18zM12 11l-4 9M12 11l4 9' },
  Kids: { hue: 320, path: 'M12 3a5 6 0 0 1 0 12 5 6 0 0 1 0-12zM12 15v6' },
  Accessories: { hue: 265, path: 'M9 3h6v3l2 3v11H7V9l2-3zM7 13h10' },
}
const other = { hue: 45, path: 'M4 7h16v11H4zM4 11h16M12 7v11' }

const stock: Record<string, string> = {
  in_stock: 'In stock',
  out_of_stock: 'Out of stock',
  preorder: 'Pre-order',
  backorder: 'On back order',
}

export function demoProductPages(server: FastifyInstance, widget: () => PageWidget | null) {
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
  const { hue, path } = drawings[product_type.split(' > ')[0] ?? ''] ?? other
  // Vary the colour slightly among products of a kind.
  const shade = hue + ([...title].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 40) - 20
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="hsl(${shade} 35% 90%)"/><path transform="translate(12 12)" d="${path}" fill="none" stroke="hsl(${shade} 40% 30%)" stroke-width="1.2" stroke-linejoin="round" stroke-linecap="round"/></svg>`
    .text
}
