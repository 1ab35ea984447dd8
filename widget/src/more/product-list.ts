import type { Entry } from '../chat/entries.ts'
import { element } from '../view/element.ts'
import { linkNode } from '../view/markdown/markdown.ts'
import { safeUrl } from '../view/markdown/safe-url.ts'
import { picture } from '../view/view.ts'
import type { MoreView } from './more-view.ts'

export function productList({ products }: Entry, { moreTexts, language }: MoreView) {
  const cards = products.map(({ title, price, currency, image_url, url, availability }) => {
    const address = safeUrl(url)
    const name = element('bdi', { class: 'name' }, title)
    return element(
      'li',
      {},
      picture(image_url, ''),
      element(
        'div',
        {},
        address ? linkNode(address, name) : name,
        price !== null && element('span', { class: 'price' }, money(price, currency, language)),
        availability && element('span', { class: `stock ${availability}` }, moreTexts[availability]),
      ),
    )
  })
  return cards.length > 0 && element('ul', { class: 'products' }, ...cards)
}

// As the answer above the list writes them: in the way of the currency's country.
function money(price: number, currency: string | null, language: string): string {
  try {
    if (currency) {
      const region = /de|fr|es|it|pt|nl/.test(language) ? `-${currency === 'EUR' ? 'PT' : currency.slice(0, 2)}` : ''
      const options = { style: 'currency', currency, useGrouping: 'always' } as const
      return new Intl.NumberFormat(language + region, options).format(price)
    }
  } catch {}
  return `${price} ${currency ?? ''}`.trim()
}
