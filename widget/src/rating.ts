// Thumbs under an answer; a bad one asks why.
import { element, fill } from './element.ts'
import type { Entry } from './entries.ts'
import { iconButton, textButton, type View } from './view.ts'

const LONGEST_REASON = 1000

export function ratingBar(entry: Entry, { words, conversation, announce, focusComposer }: View): HTMLElement {
  const bar = element('div', { class: 'rating' })

  async function rate(rating: 'up' | 'down', reason?: string) {
    try {
      await conversation().rate(entry, rating, reason)
      show()
      announce(words.rated)
    } catch {
      announce(words.broken)
    }
  }

  function show() {
    const thumb = (name: 'good' | 'bad', rating: 'up' | 'down', click: () => void) =>
      iconButton(name, words[name], click, { 'aria-pressed': String(entry.rating === rating) })
    fill(
      bar,
      thumb('good', 'up', () => rate('up')),
      thumb('bad', 'down', askWhy),
    )
  }

  function askWhy() {
    rate('down')
    const reason = element('textarea', {
      rows: 2,
      maxlength: LONGEST_REASON,
      'aria-label': words.why,
      placeholder: words.why,
    })
    const done = () => {
      show()
      focusComposer()
    }
    const submit = async (event: Event) => {
      event.preventDefault()
      if (reason.value.trim()) await rate('down', reason.value.trim())
      done()
    }
    setTimeout(() => {
      fill(
        bar,
        element(
          'form',
          { submit },
          reason,
          element('button', { class: 'pill', type: 'submit' }, words.send),
          textButton(words.cancel, done, 'link'),
        ),
      )
      reason.focus()
    })
  }

  show()
  return bar
}
