// A page of somebody else, on an origin of its own, that carries the widget.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface HostPage {
  html: string
  /** A content policy, when the page has one. */
  policy?: string
  files?: Record<string, { type: string; text: string }>
}

/** Tells the page's address. */
export async function serveHostPage({ html, policy, files = {} }: HostPage): Promise<string> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? '']
    if (policy) response.setHeader('content-security-policy', policy)
    response.setHeader('content-type', `${file?.type ?? 'text/html'}; charset=utf-8`)
    if (!file && request.url !== '/') response.statusCode = 404
    response.end(file?.text ?? html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** The strictest policy under which the widget works. */
export function strictPolicy(server: string): string {
  return `default-src 'none'; script-src ${server}; connect-src ${server}; img-src ${server} data:; style-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
}

export function shopHtml(server: string, botId: string, more = ''): string {
  return `<!doctype html><html lang="en"><head><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${more}</head>
<body><main><h1>A shop</h1><p>Tents and boots.</p></main>
<script src="${server}/widget.js" data-bot="${botId}" async></script></body></html>`
}
