// Thumbs under an answer; a bad one asks why.

import type { Entry } from '../chat/entries.ts'
import { element, fill } from './element.ts'
import { iconButton, textButton, type View } from './view.ts'

const LONGEST_REASON = 1000

export function ratingBar(entry: Entry, { words, conversation, announce, focusComposer }: View): HTMLElement {
  const bar = element('div', { class: 'rating' })

  async function rate(rating: 'up' | 'down', reason?: string): Promise<boolean> {
    try {
      await conversation().rate(entry, rating, reason)
      show()
      announce(words.rated)
      return true
    } catch {
      announce(words.error)
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
      thumb('up', words.helpful, () => rate('up')),
      thumb('down', words.notHelpful, askWhy),
    )
  }

  async function askWhy() {
    if (!(await rate('down'))) return
    const given = {
      rows: 2,
      maxlength: LONGEST_REASON,
      dir: 'auto',
      'aria-label': words.feedback,
      placeholder: words.feedback,
    }
    const reason = element('textarea', given)
    const end = () => {
      show()
      focusComposer()
    }
    const submit = async (event: Event) => {
      event.preventDefault()
      const text = reason.value.trim()
      // What could not be sent stays to be sent again.
      if (!text || (await rate('down', text))) end()
    }
    const send = element('button', { class: 'pill', type: 'submit' }, words.send)
    fill(bar, element('form', { submit }, reason, send, textButton(words.cancel, end, 'link')))
    reason.focus()
    bar.scrollIntoView({ block: 'nearest' })
  }

  show()
  return bar
}
