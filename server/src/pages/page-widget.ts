// A bot's widget on our own pages.
import { type Html, html, STRICT_POLICY } from './page-html.ts'

export interface PageWidget {
  botId: string
  /** Where the widget is served; empty for the page's own host. */
  address: string
}

/** Allows the widget's script and its connection to the server, besides what every page allows. */
export function widgetPolicy(widget: PageWidget | null): string {
  const source = widget?.address || "'self'"
  const policy = STRICT_POLICY.replace("script-src 'self'", `script-src ${source}`)
  return `${policy}; connect-src ${source}; require-trusted-types-for 'script'; trusted-types 'none'`
}

export function widgetScript(widget: PageWidget | null): Html | null {
  return widget && html`<script src="${widget.address}/widget.js" data-bot="${widget.botId}" async></script>`
}
