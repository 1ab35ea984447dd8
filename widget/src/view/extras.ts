// What comes with an answer: sources, product cards, buttons.
import type { Button } from '@docent/contract'
import { type Entry, newEntry } from '../chat/entries.ts'
import { element } from './element.ts'
import { linkNode } from './markdown/parse-markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import { picture, textButton, type View } from './view.ts'

/** A product's page is on its card already. */
const onCard = ({ products }: Entry, url: string | undefined) => products.some((product) => product.url === url)

export function sourceList(entry: Entry, { words }: View) {
  const links = entry.sources.flatMap(({ title, url }) => {
    const address = safeUrl(url)
    return address && !onCard(entry, url)
      ? [element('li', {}, linkNode(address, element('bdi', {}, title || address)))]
      : []
  })
  return (
    links.length > 0 &&
    element('div', { class: 'sources' }, element('span', {}, words.sources), element('ul', {}, ...links))
  )
}

export function productList({ products }: Entry, { words, language }: View) {
  const cards = products.map(({ title, price, currency, image_url, url, availability }) => {
    const address = safeUrl(url)
    const name = element('bdi', { class: 'name' }, title)
    return element(
      'li',
      {},
      picture(image_url),
      element(
        'div',
        {},
        address ? linkNode(address, name) : name,
        price !== null && element('span', { class: 'price' }, money(price, currency, language)),
        availability && element('span', { class: `stock ${availability}` }, words[availability]),
      ),
    )
  })
  return cards.length > 0 && element('ul', { class: 'products' }, ...cards)
}

export function money(price: number, currency: string | null, language: string): string {
  try {
    if (currency) return new Intl.NumberFormat(language, { style: 'currency', currency }).format(price)
  } catch {}
  return `${price} ${currency ?? ''}`.trim()
}

export function buttonList(entry: Entry, view: View) {
  const buttons = entry.buttons.filter(({ type, url }) => type !== 'product' || !onCard(entry, url))
  const nodes = buttons.map((button) => buttonNode(button, view))
  return nodes.length > 0 && element('div', { class: 'buttons' }, ...nodes)
}

function buttonNode({ type, label, value, url }: Button, { conversation, config, focusComposer }: View): HTMLElement {
  const address = safeUrl(url)
  if (address && (type === 'url' || type === 'product')) {
    const link = linkNode(address, label)
    link.className = 'pill'
    return link
  }
  const press = () => {
    if (type === 'handover') conversation().ask('request')
    else if (type === 'lead_form') conversation().add(newEntry('bot', '', { form: config.lead_form }))
    else conversation().send(value ?? label)
    // The button goes away, and the focus must not go with it.
    focusComposer()
  }
  return textButton(label, press, 'pill once')
}
