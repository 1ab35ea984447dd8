// The docs site: the guides of this release at /docs, with a search and the docs bot's widget.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Guide, type GuideHit, guideGroups, makeGuideSearch, readGuides } from '../docs/guides.ts'
import {
  BRAND,
  fontFace,
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
import { headingsOf, renderMarkdown } from './render-markdown.ts'

const IMAGES = fileURLToPath(new URL('../../../docs/images/dashboard/', import.meta.url))
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

// The pages of the docs site: home, guides and search results.

function startHtml(guides: readonly Guide[], widget: PageWidget | null): string {
  const content = html`<p class="eyebrow">Documentation</p><h1>Docent</h1>
<p class="lead">Chatbots on your own server that answer from your pages, files and products.${
    widget && ' Search, or ask the assistant in the corner: it has read these guides.'
  }</p>
${searchForm('')}
${groupsOf(guides).map(
  ([group, guidesOfGroup]) =>
    html`<section class="topics"><h2>${group}</h2><ul class="cards">${guidesOfGroup.map(
      ({ slug, title, markdown }) =>
        html`<li><a href="/docs/${slug}"><strong>${title}</strong><span>${firstSentence(markdown)}</span></a></li>`,
    )}</ul></section>`,
)}
<section class="topics"><h2>Reference</h2><ul class="cards"><li><a href="/docs/api"><strong>API reference</strong><span>Every endpoint with its fields, errors and examples.</span></a></li></ul></section>`
  return frame('Documentation', content, guides, widget)
}

function guideHtml(guide: Guide, guides: readonly Guide[], widget: PageWidget | null): string {
  const slugs = new Set(guides.map(({ slug }) => slug))
  const parts = headingsOf(guide.markdown)
  const onPage = html`<nav class="on-page" aria-label="On this page"><p class="section">On this page</p>
<ul>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`
  const content = html`<div class="with-parts"><article class="help">${renderMarkdown(guide.markdown, (href) => pageLink(href, slugs))}</article>
${parts.length > 1 && onPage}</div>`
  return frame(guide.title, content, guides, widget, guide.slug)
}

function resultsHtml(
  query: string,
  hits: readonly GuideHit[],
  guides: readonly Guide[],
  widget: PageWidget | null,
): string {
  const resultList = html`<ul class="results">${hits.map(
    ({
      guide,
      heading,
      fragment,
      excerpt,
      isMatch,
    }) => html`<li><a href="/docs/${guide.slug}${fragment}">${markMatches(heading, isMatch)}</a>
<span class="where">${guide.title}</span><p>${markMatches(excerpt, isMatch)}</p></li>`,
  )}</ul>`
  const content = html`<h1>Search</h1>${searchForm(query)}
${hits.length > 0 ? resultList : html`<p role="status">Nothing in the guides mentions “${query}”.</p>`}`
  return frame(`${query} · Search`, content, guides, widget)
}

/** A text with its matching words marked. */
function markMatches(text: string, isMatch: (word: string) => boolean): Html[] {
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .map((part, index) => (index % 2 && isMatch(part) ? html`<mark>${part}</mark>` : html`${part}`))
}

/** Links to other guides and external pages; other files of the repository are not on the site. */
function pageLink(href: string, slugs: ReadonlySet<string>): string | null {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const [, slug = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return slugs.has(slug) ? `/docs/${slug}${fragment}` : null
}

function frame(
  title: string,
  content: Html,
  guides: readonly Guide[],
  widget: PageWidget | null,
  current?: string,
): string {
  const links = navigation(guides, current)
  return pageHtml({
    title: `${title} · Docent`,
    description: 'How to install, use and integrate Docent.',
    language: 'en',
    stylesheet: '/docs/guides.css',
    body: html`<header class="top">
<a class="brand" href="/docs">${BRAND} <span class="spare">Docs</span></a>
<nav class="links" aria-label="Site"><a href="/docs/api">API<span class="spare"> reference</span></a> <a class="spare" href="/demo">Demo shop</a> <a href="/">Dashboard</a></nav>
<details class="menu"><summary>Contents</summary><nav class="contents" aria-label="Contents">${links}</nav></details>
</header>
<div class="layout">
<nav class="side contents" aria-label="Contents">${links}</nav>
<main id="content">${content}</main>
</div>
${widgetScript(widget)}`,
  })
}

/** Rendered twice, in the sidebar and in the mobile menu: CSS cannot open a closed <details>. */
function navigation(guides: readonly Guide[], current: string | undefined): Html {
  return html`${groupsOf(guides).map(
    ([group, guidesOfGroup]) => html`<p class="section">${group}</p>
<ul>${guidesOfGroup.map(
      ({ slug, title }) =>
        html`<li><a href="/docs/${slug}"${slug === current && html` aria-current="page"`}><span>${title}</span></a></li>`,
    )}</ul>`,
  )}
<p class="section">Reference</p>
<ul><li><a href="/docs/api"><span>API reference</span></a></li></ul>`
}

const groupsOf = (guides: readonly Guide[]) =>
  Object.keys(guideGroups).map((group) => [group, guides.filter((guide) => guide.group === group)] as const)

function searchForm(query: string): Html {
  return html`<form class="search" role="search" action="/docs/search"><label class="unseen" for="query">Search the guides</label>
<input id="query" type="search" name="q" value="${query}" placeholder="Search the guides" maxlength="200" required><button>Search</button></form>`
}

function firstSentence(markdown: string): string {
  const paragraph = /^[^#\s|>*!-].*(?:\n(?!\n|[#|>*!-]).+)*$/m.exec(markdown)?.[0].replaceAll('\n', ' ') ?? ''
  const sentence = /^.+?[.!?:](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
  return sentence.replace(/[`*_]|\[(?=[^\]]*\])|\]\([^)]*\)/g, '').replace(/:$/, '.')
}
