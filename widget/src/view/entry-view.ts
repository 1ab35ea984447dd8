import type { Entry } from '../chat/entries.ts'
import { append, element, fill } from './element.ts'
import { buttonList, productList, sourceList } from './extras.ts'
import { leadForm } from './lead-form.ts'
import { renderMarkdown } from './markdown/render-markdown.ts'
import { ratingBar } from './rating.ts'
import { textButton, type View } from './view.ts'

export interface EntryView {
  node: HTMLElement
  update: () => void
}

/** The node grows with its entry; what follows the text is made once, when the text is whole. */
export function entryView(entry: Entry, view: View): EntryView {
  const { words } = view
  const body = element('div', { class: 'text', dir: 'auto' })
  const footer = element('div', { class: 'footer' })
  const node = element(
    'div',
    { class: `entry ${entry.role}` },
    entry.agent_name && element('div', { class: 'who', dir: 'auto' }, entry.agent_name),
    body,
  )
  let isWhole = false

  function finish() {
    isWhole = true
    append(
      node,
      productList(entry, view),
      sourceList(entry, view),
      buttonList(entry, view),
      entry.form && leadForm(entry.form, view),
      entry.rateable && ratingBar(entry, view),
    )
  }

  function update() {
    const { role, text, state, problem } = entry
    node.classList.toggle('failed', state === 'failed')
    if (role === 'visitor' || role === 'note') body.textContent = text
    else if (text || state === 'done') renderMarkdown(body, text, state === 'done')
    else fill(body, element('span', { class: 'dots' }, element('i'), element('i'), element('i')))
    if (state === 'failed') {
      fill(
        footer,
        `${problem || words.notSent} `,
        textButton(words.retry, () => view.conversation().retry(entry), 'link'),
      )
      node.append(footer)
    } else footer.remove()
    if (state === 'done' && !isWhole) finish()
  }

  return { node, update }
}
