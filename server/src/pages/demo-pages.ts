// The help pages of the fictional demo shop, as a visitor of the shop would see them.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parse, Renderer, type Tokens } from 'marked'
import { type DemoPage, readDemoPages } from '../demo/pages.ts'
import { slug } from '../knowledge/parse-markdown.ts'
import { escaped, Html, html, once, pageHtml, readAsset, sendPage, strictPolicy } from './page-html.ts'

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

/** What the widget needs beside what every page has: a line to the server. */
const policy = `${strictPolicy}; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`

/** The widget sits on every page as long as there is a demo bot. */
export function demoPages(server: FastifyInstance, botId: () => string | null) {
  const pages = once(() => new Map(readDemoPages().map((page) => [page.slug, page])))
  const style = once(() => readAsset('base.css') + readAsset('demo.css'))

  const sendDocument = (request: FastifyRequest, reply: FastifyReply, text: string) =>
    sendPage(request, reply, 'text/html', text, policy)

  const sendDemoPage = (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const page = pages().get(name)
    if (!page) throw new Fault('not_found')
    return sendDocument(request, reply, articleHtml(page, [...pages().values()], botId()))
  }

  server.get('/demo', async (request, reply) => sendDocument(request, reply, indexHtml([...pages().values()], botId())))
  server.get('/demo/demo.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  server.get<{ Params: { page: string } }>('/demo/:page', async (request, reply) =>
    sendDemoPage(request, reply, request.params.page),
  )
  server.get<{ Params: { page: string } }>('/demo/de/:page', async (request, reply) =>
    sendDemoPage(request, reply, `de/${request.params.page}`),
  )
}

function indexHtml(pages: DemoPage[], botId: string | null): string {
  const group = (language: string, title: string) => html`<section class="topics" lang="${language}"><h2>${title}</h2>
<ul class="cards">${pages
    .filter((page) => page.language === language)
    .map(
      (page) =>
        html`<li><a href="/demo/${page.slug}"><strong>${page.title}</strong><span>${firstSentence(page.markdown)}</span></a></li>`,
    )}</ul></section>`
  return frame(
    'en',
    `Help · ${SHOP}`,
    html`<p class="eyebrow">Help centre</p><h1>How can we help?</h1>
<p class="lead">Delivery, returns, sizes, care: everything about your order and your gear.</p>
${group('en', 'All topics')}
${group('de', 'Auf Deutsch')}`,
    botId,
  )
}

function articleHtml(page: DemoPage, pages: DemoPage[], botId: string | null): string {
  const text = words[page.language === 'de' ? 'de' : 'en']
  const siblings = pages.filter(({ language, slug: other }) => language === page.language && other !== page.slug)
  return frame(
    page.language,
    `${page.title} · ${SHOP}`,
    html`<p class="back"><a href="/demo">← ${text.help}</a></p>
<article class="help">${new Html(parse(page.markdown, { async: false, renderer: new ShopRenderer() }))}</article>
<nav class="more" aria-label="${text.more}"><h2>${text.more}</h2>
<ul>${siblings.map((other) => html`<li><a href="/demo/${other.slug}">${other.title}</a></li>`)}</ul></nav>`,
    botId,
  )
}

function frame(language: string, title: string, content: Html, botId: string | null): string {
  const { banner } = words[language === 'de' ? 'de' : 'en']
  return pageHtml({
    title,
    description: banner,
    language,
    stylesheet: '/demo/demo.css',
    body: html`<header><p class="banner">${banner}</p>
<div class="top"><a class="brand" href="/demo">${SHOP}</a><nav class="links" aria-label="Site"><a href="/docs" lang="en">API docs</a></nav></div></header>
<main id="content" class="shop">${content}</main>
${botId && html`<script src="/widget.js" data-bot="${botId}" async></script>`}`,
  })
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
