// Shown before the first message: the notice that a bot answers, the greeting and suggested questions.
import { element } from './element.ts'
import { linkNode } from './markdown/parse-markdown.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import { textButton, type View } from './view.ts'

export function createWelcome({ config, words, conversation, focusComposer }: View) {
  const greeting = element('div', { class: 'text', dir: 'auto' })
  renderMarkdown(greeting, config.greeting ?? words.greeting, true)
  const privacy = safeUrl(config.privacy_url)
  const suggestions = element(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': words.suggestions },
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
      words.disclaimer,
      privacy && ' ',
      privacy && linkNode(privacy, words.privacy),
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
