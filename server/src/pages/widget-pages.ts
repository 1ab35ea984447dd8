// The built widget: its script and languages for any site, and a full-page chat.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type PackedFile, packedFile, sendPackedFile } from './packed-file.ts'
import { html, once, sendPage } from './page-html.ts'

const SCRIPT = 'widget.js'
const MORE = 'more.js'
const BOT_ID = /^[\w-]{1,100}$/
const PAGE_STYLE = 'html,body{margin:0;height:100%;background:Canvas}'

/** Loaded by other sites, so readable from any origin. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
} as const

/** Sites that may embed the chat in a frame: the same as for the widget. */
export type FindAllowedSites = (botId: string) => Promise<readonly string[] | undefined>

const pagePolicy = (framedBy: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    // Logos and product pictures are hosted by customers.
    'img-src http: https: data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export function widgetPages(server: FastifyInstance, findAllowedSites: FindAllowedSites, folder = builtFolder()) {
  const files = once(() => readBuild(folder))

  const send = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const file = files().get(name)
    if (!file) throw new Fault('not_found')
    return sendPackedFile(request, reply.headers(headers), file)
  }
  server.get(`/${SCRIPT}`, async (request, reply) => send(request, reply, SCRIPT))
  server.get<{ Params: { name: string } }>('/widget/:name', async (request, reply) =>
    send(request, reply, `widget/${request.params.name}`),
  )
  server.get('/chat/page.css', async (request, reply) => sendPage(request, reply, 'text/css', PAGE_STYLE))
  server.get<{ Params: { botId: string } }>('/chat/:botId', async (request, reply) => {
    const { botId } = request.params
    if (!BOT_ID.test(botId)) throw new Fault('not_found')
    const sites = await findAllowedSites(botId)
    const framedBy = sites === undefined ? "'none'" : sites.length === 0 ? '*' : `'self' ${sites.join(' ')}`
    return sendPage(request, reply, 'text/html', chatHtml(botId), pagePolicy(framedBy))
  })
}

/** The same page for every bot id; the API reports unknown bots. */
function chatHtml(botId: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Chat</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/chat/page.css">
<script src="/${SCRIPT}" async></script>
</head>
<body>
<docent-chat bot="${botId}" mode="page"></docent-chat>
</body>
</html>
`.text
}

function readBuild(folder: string): Map<string, PackedFile> {
  try {
    const read = (name: string, type: string) => packedFile(`${type}; charset=utf-8`, readFileSync(join(folder, name)))
    return new Map([
      [SCRIPT, read(SCRIPT, 'text/javascript')],
      // Loaded by the script on demand: a language, further parts, and their texts.
      [`widget/${MORE}`, read(MORE, 'text/javascript')],
      ...Object.entries({ languages: '', 'more-languages': 'more-' }).flatMap(([kind, prefix]) =>
        readdirSync(join(folder, kind)).map(
          (name) => [`widget/${prefix}${name}`, read(join(kind, name), 'application/json')] as const,
        ),
      ),
    ])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Fault('not_found', { message: 'The widget has not been built. "npm start" builds it.' })
  }
}

function builtFolder(): string {
  return fileURLToPath(new URL('../../../widget/dist', import.meta.url))
}
