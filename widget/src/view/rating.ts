// Thumbs under an answer; a bad one asks why.

import type { Entry } from '../chat/entries.ts'
import { element, fill } from './element.ts'
import { iconButton, type View } from './view.ts'

export function ratingBar(entry: Entry, view: View): HTMLElement {
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
