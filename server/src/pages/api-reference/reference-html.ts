// The API documentation as one page, rendered from the OpenAPI document.
import { type Html, html, pageHtml, prose } from '../page-html.ts'
import { type ApiDocument, endpointsOf } from './document.ts'
import { eventsHtml, eventsOf } from './events.ts'
import { introHtml, introSections } from './intro.ts'
import { makeRenderOperation, methodBadge } from './operation.ts'

export function docsHtml(document: ApiDocument): string {
  const operationHtml = makeRenderOperation(document)
  const links = navigation(document)
  const groups = document.tags.map(
    ({ name, description }) => html`<section class="group" id="${anchor(name)}">
<h2><a class="anchor" href="#${anchor(name)}">${name}</a></h2>
<p class="lead">${prose(description)}</p>
${endpointsOf(document, name).map(operationHtml)}
</section>`,
  )
  return pageHtml({
    title: `${document.info.title} API`,
    description: document.info.description,
    language: 'en',
    stylesheet: '/docs/api.css',
    script: '/docs/api.js',
    body: html`<header class="top">
<a class="brand" href="/docs">${document.info.title}</a>
<nav class="links" aria-label="Site"><a href="/docs">Guides</a> <a class="spare" href="/demo">Demo shop</a> <a class="spare" href="/openapi.json">OpenAPI</a></nav>
<details class="menu"><summary>Contents</summary><nav class="contents" aria-label="Contents">${links}</nav></details>
</header>
<div class="layout">
<nav class="side contents" aria-label="Contents">${links}</nav>
<main id="content">
${introHtml(document)}
${groups}
${eventsHtml(document)}
</main>
</div>`,
  })
}

/** Rendered twice, in the sidebar and in the mobile menu: CSS cannot open a closed <details>. */
function navigation(document: ApiDocument): Html {
  return html`<p class="section">Start here</p>
<ul>${introSections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${document.tags.map(
  ({ name }) => html`<p class="section"><a href="#${anchor(name)}">${name}</a></p>
<ul>${endpointsOf(document, name).map(
    ({ method, operation: { operationId, summary } }) =>
      html`<li><a href="#${operationId}"><span>${summary}</span> ${methodBadge(method)}</a></li>`,
  )}</ul>`,
)}
<p class="section"><a href="#events">Events</a></p>
<ul>${eventsOf(document).map(({ name, operation: { operationId } }) => html`<li><a href="#${operationId}"><span>${name}</span></a></li>`)}</ul>`
}

function anchor(tag: string): string {
  return tag.toLowerCase().replace(/\W+/g, '-')
}
