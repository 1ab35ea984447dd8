// Shown before the first message: the notice that a bot answers, the greeting and suggested questions.
import { element } from './element.ts'
import { linkNode } from './markdown/parse-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import { textButton, type View } from './view.ts'

export function makeWelcome({ config, texts, conversation, focusComposer }: View) {
  const greeting = element('div', { class: 'text', dir: 'auto' })
  renderMarkdown(greeting, config.greeting ?? texts.greeting, true)
  const privacy = safeUrl(config.privacy_url)
  const suggestions = element(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': texts.suggestions },
    ...config.suggested_questions.map((question) =>
      textButton(question, () => {
        conversation().send(question)
        focusComposer()
      }),
    ),
  )
  const node = element(
    'div',
    { class: 'log fresh' },
    element(
      'p',
      { class: 'disclaimer' },
      texts.disclaimer,
      privacy && ' ',
      privacy && linkNode(privacy, texts.privacy),
    ),
    element('div', { class: 'entry bot' }, greeting),
    suggestions,
  )
  return {
    node,
    end() {
      node.className = 'log'
      suggestions.remove()
    },
  }
}
