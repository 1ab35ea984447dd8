// What applies to every call: base URL, credentials, errors and quotas.
import { errorCatalogue } from '@docent/contract'
import { type Html, html, prose } from '../page-html.ts'
import type { ApiDocument } from './document.ts'
import { json, sample } from './operation.ts'

export const INTRO_SECTIONS = [
  ['overview', 'Overview'],
  ['authentication', 'Authentication'],
  ['errors', 'Errors'],
  ['quota', 'Daily quota'],
  ['paging', 'Lists and pages'],
] as const

const credentials: Record<string, string> = {
  chatKey: 'Chat API key',
  syncKey: 'Sync key',
  visitorToken: 'Visitor token',
  managementToken: 'Management token',
  session: 'Session cookie',
  metricsToken: 'Metrics token',
}

const QUOTA_HEADERS = [
  ['RateLimit-Policy', 'The policy: `q` calls in a window of `w` seconds.', '"daily";q=1000;w=86400'],
  ['RateLimit', 'What is left of it: `r` calls, and `t` seconds until it starts anew.', '"daily";r=786;t=43200'],
  ['X-RateLimit-Limit', 'Calls a day.', '1000'],
  ['X-RateLimit-Remaining', 'Calls left today.', '786'],
  ['X-RateLimit-Reset', 'When the next day starts, in Unix seconds.', '1794787200'],
  ['Retry-After', 'With a `429` or `503`: seconds to wait.', '43200'],
] as const

export function introHtml(document: ApiDocument): Html {
  const { title, version, description } = document.info
  const baseUrl = document.servers[0]?.url ?? ''
  return html`<section class="intro" id="overview">
<p class="eyebrow">API reference · version ${version}</p>
<h1>${title} API</h1>
<p class="lead">${description}</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Format</dt><dd>JSON in UTF-8, times in RFC 3339 UTC</dd></div>
<div><dt>Machine-readable</dt><dd><a href="/openapi.json">OpenAPI 3.1 document</a></dd></div>
</dl>
</section>
${section(
  'authentication',
  html`<p>Send the credential with every call, as a bearer token (the sync key in a header of its own). Keep it on your server: whoever has it can act with it.</p>
<dl class="facts">${Object.entries(document.components.securitySchemes).map(
    ([name, scheme]) => html`<div><dt>${credentials[name] ?? name}</dt><dd>${prose(scheme.description)}</dd></div>`,
  )}</dl>
<p>Roles build on each other: <code>viewer</code>, <code>agent</code>, <code>editor</code>, <code>owner</code>. Each may do all that the ones before it may.</p>`,
  sample('Header', html`Authorization: Bearer dct_chat_…`, 'header'),
)}
${section(
  'errors',
  html`<p>Every error has the same shape. Decide by <code>code</code>: it does not change. <code>message</code> is one sentence for people, <code>details</code> names the fields that are wrong, and <code>request_id</code> (also in the header <code>x-request-id</code>) finds the request in the log.</p>
<details class="errors"><summary><span class="label">All error codes</span></summary><dl>${Object.entries(
    errorCatalogue,
  ).map(
    ([code, { status, message }]) =>
      html`<dt><span class="status">${status}</span> <code>${code}</code></dt><dd>${message}</dd>`,
  )}</dl></details>`,
  sample('Error', json(ERROR), 'error'),
)}
${section(
  'quota',
  html`<p>Each chat API key has a number of calls a day, counted in UTC. Every call with a valid key counts. Past the limit the answer is <code>429</code> with the code <code>daily_quota_exceeded</code>. These headers come with every counted call:</p>
<dl class="facts">${QUOTA_HEADERS.map(([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`)}</dl>`,
  sample('Headers', html`${QUOTA_HEADERS.slice(0, 5).map(([name, , value]) => `${name}: ${value}\n`)}`, 'headers'),
)}
${section(
  'paging',
  html`<p>Lists come in pages. Ask for up to 200 items with <code>limit</code>, and send <code>next_cursor</code> back as <code>cursor</code> until it is <code>null</code>.</p>`,
  sample('Page', json({ items: ['…'], next_cursor: 'eyJpZCI6…' }), 'page'),
)}`
}

const ERROR = {
  error: {
    code: 'validation_failed',
    message: errorCatalogue.validation_failed.message,
    details: [{ path: 'message', message: 'This field is required.' }],
    request_id: 'req_5n7q1f3j8s',
  },
}

function section(id: (typeof INTRO_SECTIONS)[number][0], text: Html, code: Html): Html {
  const title = INTRO_SECTIONS.find(([name]) => name === id)?.[1]
  return html`<section class="intro" id="${id}"><h2><a class="anchor" href="#${id}">${title}</a></h2>
<div class="columns"><div class="text">${text}</div><div class="samples">${code}</div></div></section>`
}
