// The frame shared by all pages of the fictional demo shop.
import { type Html, html, pageHtml } from './page-html.ts'
import { type PageWidget, widgetScript } from './page-widget.ts'

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

export function demoWords(language: string) {
  return words[language === 'de' ? 'de' : 'en']
}

export function demoFrame(language: string, title: string, content: Html, widget: PageWidget | null): string {
  const { banner } = demoWords(language)
  return pageHtml({
    title,
    description: banner,
    language,
    stylesheet: '/demo/demo.css',
    icon: '/demo/icon.svg',
    body: html`<header><p class="banner">${banner}</p>
<div class="top"><a class="brand" href="/demo">${SHOP}</a><nav class="links" aria-label="Site"><a href="/docs" lang="en">Docent docs</a></nav></div></header>
<main id="content" class="shop">${content}</main>
${widgetScript(widget)}`,
  })
}
