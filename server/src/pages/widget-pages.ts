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
const DEFAULT_COLOUR = '#2f6f4f'
/** The chat as a sheet on a page in the bot's colour; on phones it fills the screen. */
const PAGE_STYLE = `*{box-sizing:border-box}
html,body{margin:0;height:100%;background:Canvas}
main{height:100%}
@media (min-width:900px) and (min-height:500px){
html.alone body{padding:24px;border-top:8px solid var(--colour);background:color-mix(in srgb,var(--colour) 12%,Canvas)}
html.alone main{max-width:820px;margin:auto;border-radius:20px;overflow:hidden;box-shadow:0 24px 64px #0002}
}
`

/** Loaded by other sites, so readable from any origin. */
const headers = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
} as const

/** A bot as its page shows it. */
export interface ChatPageBot {
  name: string
  language: string
  widget: {
    /** Sites that may embed the chat in a frame: the same as for the widget. */
    allowedOrigins: readonly string[]
    look: { title: string | null; colour: string; logo_url: string | null; theme: 'auto' | 'light' | 'dark' }
  }
}

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

export function widgetPages(
  server: FastifyInstance,
  findBot: (botId: string) => Promise<ChatPageBot | undefined>,
  folder = builtFolder(),
) {
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
  server.get<{ Params: { botId: string } }>('/chat/:botId/page.css', async (request, reply) => {
    const { botId } = request.params
    const bot = BOT_ID.test(botId) ? await findBot(botId) : undefined
    const colour = bot?.widget.look.colour ?? DEFAULT_COLOUR
    return sendPage(request, reply, 'text/css', `:root{--colour:${colour}}\n${PAGE_STYLE}`)
  })
  server.get<{ Params: { botId: string } }>('/chat/:botId', async (request, reply) => {
    const { botId } = request.params
    if (!BOT_ID.test(botId)) throw new Fault('not_found')
    const bot = await findBot(botId)
    const sites = bot?.widget.allowedOrigins
    // Somebody else's page has its own frame around it.
    const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
    reply.header('vary', 'sec-fetch-dest')
    const framedBy = sites === undefined ? "'none'" : sites.length === 0 ? '*' : `'self' ${sites.join(' ')}`
    return sendPage(request, reply, 'text/html', chatHtml(botId, bot, isFramed), pagePolicy(framedBy))
  })
}

/** There is a page for every bot id; the API reports unknown bots. */
function chatHtml(botId: string, bot: ChatPageBot | undefined, isFramed: boolean): string {
  const { title = null, logo_url: logo = null, theme = 'auto' } = bot?.widget.look ?? {}
  return html`<!doctype html>
<html lang="${bot?.language ?? 'en'}" class="${isFramed ? 'framed' : 'alone'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex">
<title>${title ?? bot?.name ?? 'Chat'}</title>
<link rel="icon" href="${logo ?? 'data:,'}">
<link rel="stylesheet" href="/chat/${botId}/page.css">
<script src="/${SCRIPT}" async></script>
</head>
<body>
<main><docent-chat bot="${botId}" mode="page"></docent-chat></main>
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
