// HTML that escapes by construction, and what our pages share: frame, headers, logo, typeface and a widget.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Trusted HTML; everything else is escaped when it enters a template. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + renderPart(parts[index - 1]) + string))
}

function renderPart(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(renderPart).join('')
  return part === null || part === undefined || part === false ? '' : escapeHtml(String(part))
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Text in which `backticks` mark code. */
export function prose(text: string): Html[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`))
}

interface Page {
  title: string
  description: string
  language: string
  stylesheet: string
  script?: string
  icon?: string
  body: Html
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b6b66'/%3E%3Cpath d='M9 8h7a8 8 0 0 1 0 16H9z' fill='none' stroke='%23fff' stroke-width='3' stroke-linejoin='round'/%3E%3C/svg%3E"

export function pageHtml({ title, description, language, stylesheet, script, icon = ICON, body }: Page): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylesheet}">
${script && html`<script src="${script}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${language === 'de' ? 'Zum Inhalt' : 'Skip to the content'}</a>
${body}
</body>
</html>
`.text
}

export const STRICT_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const

function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** Sends content that changes only with a release: browsers cache and revalidate it. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  body: string,
  policy = STRICT_POLICY,
): FastifyReply {
  const tag = tagOf(body)
  reply
    .headers(pageHeaders)
    .header('content-security-policy', policy)
    .header('etag', tag)
    .type(`${type}; charset=utf-8`)
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(body)
}

export function readAsset(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
}

/** Runs on first use, so that it does not slow down the server's start. */
export function once<T>(make: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: make() }
    return result.value
  }
}

/** The dashboard's logo. */
export const BRAND = html`<svg class="logo" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0b6b66"/><path d="M9 8h7a8 8 0 0 1 0 16H9z" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/></svg> Docent`

const BUILT_ASSETS = fileURLToPath(new URL('../../../dashboard/dist/assets/', import.meta.url))
const LATIN = /^inter-latin-wght-normal-.+\.woff2$/

/** The dashboard's typeface; empty without a built dashboard: the system's is used then. */
export const fontFace = once(() => {
  const file = builtFiles().find((name) => LATIN.test(name))
  if (!file) return ''
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url("/assets/${file}") format("woff2")}\n`
})

function builtFiles(): string[] {
  try {
    return readdirSync(BUILT_ASSETS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}

// A bot's widget on our own pages.

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
