// What people see at an address that leads nowhere; programs get the error as JSON.
import { BRAND } from './brand.ts'
import { html, pageHtml, STRICT_POLICY } from './page-html.ts'

/** The host of the widget has neither a dashboard nor guides, so the links lead to the other one. */
export function makeNotFoundPage(baseUrl: string) {
  const text = pageHtml({
    title: 'Page not found',
    description: 'There is no page at this address.',
    language: 'en',
    stylesheet: '/docs/guides.css',
    body: html`<header class="top"><a class="brand" href="${baseUrl}/">${BRAND}</a></header>
<main id="content" class="lost"><h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link is incomplete.</p>
<p><a href="${baseUrl}/">Dashboard</a> · <a href="${baseUrl}/docs">Documentation</a></p></main>`,
  })
  return { text, policy: STRICT_POLICY }
}
