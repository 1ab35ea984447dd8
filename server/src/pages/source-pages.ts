// The reading page of a source without its own page: one document for all sources, filled by its script from the API,
// because the fragment of a URL never reaches the server.
import { Fault } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import { html, once, readAsset, sendPage } from './page-html.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  // Logos are hosted by customers.
  'img-src http: https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sourcePages(server: FastifyInstance, isKnown: (botId: string, documentId: string) => Promise<boolean>) {
  const style = once(() => readAsset('source.css'))
  const script = once(() => readAsset('source.js'))
  server.get('/sources/page.css', async (request, reply) => sendPage(request, reply, 'text/css', style()))
  server.get('/sources/page.js', async (request, reply) => sendPage(request, reply, 'text/javascript', script()))
  server.get<{ Params: { botId: string; documentId: string } }>(
    '/sources/:botId/:documentId',
    async (request, reply) => {
      const { botId, documentId } = request.params
      if (!(await isKnown(botId, documentId)))
        throw new Fault('not_found', { message: 'This source no longer exists.' })
      return sendPage(request, reply, 'text/html', pageText, POLICY)
    },
  )
}

const pageText = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>…</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/sources/page.css">
<script src="/sources/page.js" defer></script>
</head>
<body>
<header id="bot" hidden><img id="logo" alt="" hidden><a id="site"></a></header>
<main><p id="path" hidden></p><h1 id="title" dir="auto"></h1><div id="text" dir="auto" aria-live="polite"></div></main>
</body>
</html>
`.text
