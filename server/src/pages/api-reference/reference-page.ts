// The API documentation: the OpenAPI document, and the pages rendered from it: an introduction, one for each group of
// operations, and one for the events. They are large, so they are packed once.
import { readFileSync } from 'node:fs'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PackedFile, packedFile, sendPackedFile } from '../packed-file.ts'
import {
  BRAND,
  fontFace,
  type Html,
  html,
  once,
  pageHeaders,
  pageHtml,
  prose,
  readAsset,
  STRICT_POLICY,
} from '../page-html.ts'
import { type ApiDocument, endpointsOf, type Operation } from './document.ts'
import { makeExampleMaker } from './example.ts'
import { INTRO_SECTIONS, introHtml } from './intro.ts'
import { fieldTable, json, makeRenderOperation, methodBadge, sample } from './operation.ts'
import { fieldsOf, makeResolve } from './schema.ts'

/** "Try it" calls this server. */
const POLICY = `${STRICT_POLICY}; connect-src 'self'`
const STYLES = ['base', 'docs', 'cards', 'docs-operations', 'try-it']

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

/** By the end of their address: `/docs/api` and `/docs/api/<group>`. */
function referencePages(document: ApiDocument): Map<string, string> {
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

/** The payload of each webhook event, with an example. */
function eventsHtml(document: ApiDocument): Html {
  const resolve = makeResolve(document.components.schemas)
  const make = makeExampleMaker(resolve)
  return html`<section class="group" id="events">
<h1 class="eyebrow">API reference</h1>
<h2><a class="anchor" href="#events">Events</a></h2>
<p class="lead">What your webhooks receive. Every delivery is a POST with the headers webhook-id, webhook-timestamp and webhook-signature; any 2xx within 15 seconds takes it.</p>
${eventsOf(document).map(({ name, operation }) => {
  const schema = operation.requestBody?.content['application/json']?.schema
  return (
    schema &&
    html`<article class="operation" id="${operation.operationId}">
<h3><a class="anchor" href="#${operation.operationId}"><code>${name}</code></a></h3>
<div class="columns">
<div class="text">${fieldTable('Payload', fieldsOf(schema, resolve), 'optional')}</div>
<div class="samples">${sample('Payload', json(make(schema)), 'event')}</div>
</div>
</article>`
  )
})}
</section>`
}

function eventsOf(document: ApiDocument): { name: string; operation: Operation }[] {
  return Object.entries(document.webhooks).map(([name, { post }]) => ({ name, operation: post }))
}
