// The help pages of the fictional demo shop, as a visitor of the shop would see them.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse, Renderer, type Tokens } from 'marked'
import { type DemoPage, readDemoPages } from '../demo/pages.ts'
import { slug } from '../knowledge/documents/parse-markdown.ts'
import { type DemoWidget, demoFrame, demoPolicy, demoWords, SHOP } from './demo-frame.ts'
import { demoProductPages } from './demo-product-pages.ts'
import { escaped, Html, html, once, readAsset, sendPage } from './page-html.ts'

/** The widget sits on every page as long as there is a demo bot. */
export function demoPages(server: FastifyInstance, widget: () => DemoWidget | null) {
  const pages = once(() => new Map(readDemoPages().map((page) => [page.slug, page])))
  const style = once(() => readAsset('base.css') + readAsset('demo.css'))

  const sendDocument = (request: FastifyRequest, reply: FastifyReply, text: string) =>
    sendPage(request, reply, 'text/html', text, demoPolicy(widget()))

  const sendDemoPage = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const page = pages().get(name)
    if (!page) throw new Fault('not_found')
    return sendDocument(request, reply, articleHtml(page, [...pages().values()], widget()))
  }

  server.get('/demo', async (request, reply) =>
    sendDocument(request, reply, indexHtml([...pages().values()], widget())),
  )
  demoProductPages(server, widget)
  server.get('/demo/demo.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  server.get<{ Params: { page: string } }>('/demo/:page', async (request, reply) =>
    sendDemoPage(request, reply, request.params.page),
  )
  server.get<{ Params: { page: string } }>('/demo/de/:page', async (request, reply) =>
    sendDemoPage(request, reply, `de/${request.params.page}`),
  )
}

function indexHtml(pages: DemoPage[], widget: DemoWidget | null): string {
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

function articleHtml(page: DemoPage, pages: DemoPage[], widget: DemoWidget | null): string {
  const text = demoWords(page.language)
  const siblings = pages.filter(({ language, slug: other }) => language === page.language && other !== page.slug)
  return demoFrame(
    page.language,
    `${page.title} · ${SHOP}`,
    html`<p class="back"><a href="/demo">← ${text.help}</a></p>
<article class="help">${new Html(parse(page.markdown, { async: false, renderer: new ShopRenderer() }))}</article>
<nav class="more" aria-label="${text.more}"><h2>${text.more}</h2>
<ul>${siblings.map((other) => html`<li><a href="/demo/${other.slug}">${other.title}</a></li>`)}</ul></nav>`,
    widget,
  )
}

function firstSentence(markdown: string): string {
  const paragraph = /^[^#\s|>*-].*$/m.exec(markdown)?.[0] ?? ''
  return /^.+?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
}

/** Headings carry the anchors that answers cite, and links between files become links between pages. */
class ShopRenderer extends Renderer {
  override heading({ tokens, depth }: Tokens.Heading): string {
    const id = slug(this.parser.parseInline(tokens, this.parser.textRenderer))
    return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  }

  override link(token: Tokens.Link): string {
    if (!/^(https?:|mailto:|tel:|[\w./-]*(#.*)?$)/i.test(token.href)) return this.parser.parseInline(token.tokens)
    return super.link({ ...token, href: token.href.replace(/\.md(?=#|$)/, '') })
  }

  override table(token: Tokens.Table): string {
    return `<div class="scroll" tabindex="0">${super.table(token)}</div>`
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escaped(text)
  }
}
