// What all pages of the fictional demo shop have in common.
import { type Html, html, pageHtml, strictPolicy } from './page-html.ts'

export const SHOP = 'Fernweh & Field'

const words = {
  en: {
    banner: 'This is a demo. The shop, its brands, people and prices are invented; nothing can be bought here.',
    help: 'All help pages',
    more: 'More help',
  },
  de: {
    banner: 'Dies ist eine Demo. Shop, Marken, Personen und Preise sind erfunden; kaufen kann man hier nichts.',
    help: 'Alle Hilfeseiten',
    more: 'Weitere Hilfe',
  },
}

export interface DemoWidget {
  botId: string
  /** Where the widget is served; empty when it is the page's own host. */
  address: string
}

/** What the widget needs beside what every page has: its script, and a line to its server. */
export function demoPolicy(widget: DemoWidget | null): string {
  const source = widget?.address || "'self'"
  const policy = strictPolicy.replace("script-src 'self'", `script-src ${source}`)
  return `${policy}; connect-src ${source}; require-trusted-types-for 'script'; trusted-types 'none'`
}

export function demoWords(language: string) {
  return words[language === 'de' ? 'de' : 'en']
}

export function demoFrame(language: string, title: string, content: Html, widget: DemoWidget | null): string {
  const { banner } = demoWords(language)
  return pageHtml({
    title,
    description: banner,
    language,
    stylesheet: '/demo/demo.css',
    body: html`<header><p class="banner">${banner}</p>
<div class="top"><a class="brand" href="/demo">${SHOP}</a><nav class="links" aria-label="Site"><a href="/docs" lang="en">API docs</a></nav></div></header>
<main id="content" class="shop">${content}</main>
${widget && html`<script src="${widget.address}/widget.js" data-bot="${widget.botId}" async></script>`}`,
  })
}
