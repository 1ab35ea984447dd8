// Webhook events: the payload of each, with an example.
import { type Html, html } from '../page-html.ts'
import type { ApiDocument, Operation } from './document.ts'
import { makeExampleMaker } from './example.ts'
import { fieldTable, json, sample } from './operation.ts'
import { fieldsOf, makeResolve } from './schema.ts'

export function eventsHtml(document: ApiDocument): Html {
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

export function eventsOf(document: ApiDocument): { name: string; operation: Operation }[] {
  return Object.entries(document.webhooks).map(([name, { post }]) => ({ name, operation: post }))
}
