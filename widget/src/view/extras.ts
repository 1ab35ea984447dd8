// Sources and buttons of an answer.
import type { Button } from '@docent/contract'
import { type Entry, makeEntry } from '../chat/entries.ts'
import { element } from './element.ts'
import { linkNode } from './markdown/markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import { textButton, type View } from './view.ts'

/** Product pages are linked on their cards already. */
const onCard = ({ products }: Pick<Entry, 'products'>, url: string | undefined) =>
  products.some((product) => product.url === url)

export function sourceList(entry: Entry, { texts }: View) {
  const links = entry.sources.flatMap(({ title, url }) => {
    const address = safeUrl(url)
    return address && !onCard(entry, url)
      ? [element('li', {}, linkNode(address, element('bdi', {}, title || address)))]
      : []
  })
  return (
    links.length > 0 &&
    element('div', { class: 'sources' }, element('span', {}, texts.sources), element('ul', {}, ...links))
  )
}

export function buttonList(entry: Pick<Entry, 'buttons' | 'products'>, view: View) {
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
    else if (type === 'lead_form') conversation().add(makeEntry('bot', '', { form: config.lead_form }))
    else conversation().send(value ?? label)
    // The pressed button disappears, so focus must move.
    focusComposer()
  }
  return textButton(label, press, 'pill once')
}
