// A bot's widget on pages of our own.
import { type Html, html, strictPolicy } from './page-html.ts'

export interface PageWidget {
  botId: string
  /** Where the widget is served; empty when it is the page's own host. */
  address: string
}

/** What the widget needs beside what every page has: its script, and a line to its server. */
export function widgetPolicy(widget: PageWidget | null): string {
  const source = widget?.address || "'self'"
  const policy = strictPolicy.replace("script-src 'self'", `script-src ${source}`)
  return `${policy}; connect-src ${source}; require-trusted-types-for 'script'; trusted-types 'none'`
}

export function widgetScript(widget: PageWidget | null): Html | null {
  return widget && html`<script src="${widget.address}/widget.js" data-bot="${widget.botId}" async></script>`
}
