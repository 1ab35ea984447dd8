// A customer's page with the widget, on its own origin.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface HostPage {
  html: string
  /** The page's content security policy, if it has one. */
  policy?: string
  files?: Record<string, { type: string; text: string }>
}

/** Returns the page's URL. */
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

/** The strictest policy that the widget works with. */
export function strictPolicy(server: string): string {
  return `default-src 'none'; script-src ${server}; connect-src ${server}; img-src ${server} data:; style-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
}

export function shopHtml(server: string, botId: string, more = '', userToken?: string): string {
  return `<!doctype html><html lang="en"><head><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${more}</head>
<body><main><h1>A shop</h1><p>Tents and boots.</p></main>
<script src="${server}/widget.js" data-bot="${botId}"${userToken ? ` data-user-token="${userToken}"` : ''} async></script></body></html>`
}
