// What people see at an address that leads nowhere; programs get the error as JSON.
import { html, pageHtml, strictPolicy } from './page-html.ts'

export const notFoundPage = {
  policy: strictPolicy,
  text: pageHtml({
    title: 'Page not found',
    description: 'There is no page at this address.',
    language: 'en',
    stylesheet: '/sources/page.css',
    body: html`<main id="content"><h1>Page not found</h1>
<p>There is no page at this address. It may have moved, or the link is incomplete.</p>
<p><a href="/">Dashboard</a> · <a href="/docs">Documentation</a></p></main>`,
  }),
}
