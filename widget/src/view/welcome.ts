// Shown before the first message: the notice that a bot answers, the greeting and its buttons.
import { element } from './element.ts'
import { buttonList } from './extras.ts'
import { linkNode } from './markdown/parse-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import type { View } from './view.ts'

export function makeWelcome(view: View) {
  const { config, texts } = view
  const greeting = element('div', { class: 'text', dir: 'auto' })
  renderMarkdown(greeting, config.greeting ?? texts.greeting, true)
  const privacy = safeUrl(config.privacy_url)
  // A node of the previous version knows no buttons.
  const buttons = buttonList({ buttons: config.greeting_buttons ?? [], products: [] }, view)
  const node = element(
    'div',
    { class: 'log fresh' },
    element('p', { class: 'disclaimer' }, texts.disclaimer, ' ', privacy && linkNode(privacy, texts.privacy)),
    element('div', { class: 'entry bot' }, greeting),
    buttons,
  )
  return {
    node,
    end() {
      node.className = 'log'
      if (buttons) buttons.remove()
    },
  }
}
