// The API documentation, rendered from the OpenAPI document: an introduction, and a page for each group of operations.
import { BRAND } from '../brand.ts'
import { type Html, html, pageHtml, prose } from '../page-html.ts'
import { type ApiDocument, endpointsOf } from './document.ts'
import { eventsHtml, eventsOf } from './events.ts'
import { INTRO_SECTIONS, introHtml } from './intro.ts'
import { makeRenderOperation, methodBadge } from './operation.ts'

/** By the end of their address: `/docs/api` and `/docs/api/<group>`. */
export function referencePages(document: ApiDocument): Map<string, string> {
  const operationHtml = makeRenderOperation(document)
  const page = (slug: string, title: string, content: Html) =>
    [slug, frame(document, `${title} · ${document.info.title} API`, content, slug)] as const
  const groups = document.tags.map(({ name, description }) => {
    const content = html`<section class="group" id="${slugOf(name)}">
<h1 class="eyebrow">API reference</h1>
<h2><a class="anchor" href="#${slugOf(name)}">${name}</a></h2>
<p class="lead">${prose(description)}</p>
${endpointsOf(document, name).map(operationHtml)}
</section>`
    return page(slugOf(name), name, content)
  })
  return new Map([
    page('', 'Overview', html`${introHtml(document)}${overview(document)}`),
    ...groups,
    page('events', 'Events', eventsHtml(document)),
  ])
}

function frame(document: ApiDocument, title: string, content: Html, slug: string): string {
  const links = navigation(document, slug)
  return pageHtml({
    title,
    description: document.info.description,
    language: 'en',
    stylesheet: '/docs/api.css',
    script: '/docs/api.js',
    body: html`<header class="top">
<a class="brand" href="/docs">${BRAND} <span class="spare">Docs</span></a>
<nav class="links" aria-label="Site"><a class="as-brand" href="/docs">Guides</a> <a class="spare" href="/demo">Demo shop</a> <a class="spare" href="/openapi.json">OpenAPI</a> <a href="/">Dashboard</a></nav>
<details class="menu"><summary>Contents</summary><nav class="contents" aria-label="Contents">${links}</nav></details>
</header>
<div class="layout">
<nav class="side contents" aria-label="Contents">${links}</nav>
<main id="content">
${content}
</main>
</div>`,
  })
}

function overview(document: ApiDocument): Html {
  const groups = document.tags.map(
    ({ name, description }) =>
      html`<li><a href="/docs/api/${slugOf(name)}"><strong>${name}</strong><span>${prose(description)}</span></a></li>`,
  )
  return html`<section class="intro" id="groups"><h2>All operations</h2><ul class="cards">${groups}
<li><a href="/docs/api/events"><strong>Events</strong><span>What your webhooks receive.</span></a></li></ul></section>`
}

/** Rendered twice, in the sidebar and in the mobile menu: CSS cannot open a closed <details>. */
function navigation(document: ApiDocument, slug: string): Html {
  // Links within the page stay short, so that browsers need not load it again.
  const link = (page: string, id: string) =>
    page === slug ? `#${id}` : `/docs/api${page === '' ? '' : `/${page}`}#${id}`
  return html`<p class="section">Start here</p>
<ul>${INTRO_SECTIONS.map(([id, title]) => html`<li><a href="${link('', id)}">${title}</a></li>`)}</ul>
${document.tags.map(({ name }) => {
  const page = slugOf(name)
  return html`<p class="section"><a href="/docs/api/${page}">${name}</a></p>
<ul>${endpointsOf(document, name).map(
    ({ method, operation: { operationId, summary } }) =>
      html`<li><a href="${link(page, operationId)}"><span>${summary}</span> ${methodBadge(method)}</a></li>`,
  )}</ul>`
})}
<p class="section"><a href="/docs/api/events">Events</a></p>
<ul>${eventsOf(document).map(({ name, operation: { operationId } }) => html`<li><a href="${link('events', operationId)}"><span>${name}</span></a></li>`)}</ul>`
}

function slugOf(tag: string): string {
  return tag.toLowerCase().replace(/\W+/g, '-')
}
