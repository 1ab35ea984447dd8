import type { Entry } from '../chat/entries.ts'
import { append, element, fill } from './element.ts'
import { buttonList, sourceList } from './extras.ts'
import { renderMarkdown } from './markdown/markdown.ts'
import { avatar, iconButton, textButton, type View } from './view.ts'

export interface EntryView {
  node: HTMLElement
  update: () => void
}

/** Updates the node with its entry. Everything below the text is added once the text is complete. */
export function makeEntryView(entry: Entry, view: View): EntryView {
  const { texts, config, language } = view
  const { role, agent_name, agent_avatar, created_at } = entry
  const picture = role === 'bot' ? config.avatar : role === 'agent' && (agent_avatar || config.team_avatar)
  const body = element('div', { class: 'text', dir: 'auto' })
  const footer = element('div', { class: 'footer' })
  const node = element(
    'div',
    { class: `entry ${role}` },
    element('time', { datetime: created_at, title: new Date(created_at).toLocaleString(language) }),
    agent_name && element('div', { class: 'who', dir: 'auto' }, agent_name),
    avatar(view, picture, ''),
    body,
  )
  let isComplete = false

  function finish() {
    isComplete = true
    const { products, attachments = [], form, stars, note } = entry
    const more = (products[0] || attachments[0] || form || stars || note) && element('div', { class: 'more' })
    if (more) view.more(({ fillEntry }) => fillEntry(more, entry))
    append(node, more, sourceList(entry, view), buttonList(entry, view), entry.rateable && ratingBar(entry, view))
  }

  function update() {
    const { state, problem } = entry
    const text = ownText(entry)
    node.classList.toggle('failed', state === 'failed')
    if (role === 'visitor' || role === 'note') body.textContent = text
    else if (text || state === 'done') {
      renderMarkdown(body, text, state === 'done')
      if (text.includes('\n|')) view.more(({ showTables }) => showTables(body))
    } else fill(body, element('span', { class: 'dots' }, element('i'), element('i'), element('i')))
    if (state === 'failed') {
      fill(
        footer,
        `${problem || texts.notSent} `,
        textButton(texts.retry, () => view.conversation().retry(entry), 'link'),
      )
      node.append(footer)
    } else footer.remove()
    if (state === 'done' && !isComplete) finish()
  }

  return { node, update }
}

/** Leaves out lines that the product cards show, and file names. */
function ownText({ text, products, attachments }: Entry): string {
  if (attachments?.length) return ''
  return text
    .split('\n')
    .filter((line) => !products.some(({ title }) => line.startsWith(`- ${title}`)))
    .join('\n')
}

/** Thumbs under an answer; a bad one asks why. */
function ratingBar(entry: Entry, view: View): HTMLElement {
  const { texts, conversation, announce } = view
  const bar = element('div', { class: 'rating' })

  async function rate(rating: 'up' | 'down', reason?: string): Promise<boolean> {
    try {
      await conversation().rate(entry, rating, reason)
      show()
      announce(texts.rated)
      return true
    } catch {
      announce(texts.error)
      return false
    }
  }

  function show() {
    const thumb = (rating: 'up' | 'down', label: string, click: () => void) => {
      const button = iconButton('thumb', label, click, { 'aria-pressed': String(entry.rating === rating) })
      button.classList.add(`thumb-${rating}`)
      return button
    }
    fill(
      bar,
      thumb('up', texts.helpful, () => rate('up')),
      thumb('down', texts.notHelpful, askWhy),
    )
  }

  async function askWhy() {
    if (!(await rate('down'))) return
    const end = () => {
      show()
      view.focusComposer()
    }
    view.more((more) => more.askWhy(bar, (reason) => rate('down', reason), end))
  }

  show()
  return bar
}
