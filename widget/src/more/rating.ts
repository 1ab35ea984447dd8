// What visitors say about answers and whole conversations.
import { formatText } from '../host/texts.ts'
import { element, fill } from '../view/element.ts'
import { svgIcon } from '../view/icon.ts'
import { textButton } from '../view/view.ts'
import type { MoreView } from './more-view.ts'

const STAR = 'M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z'
const MOST = [1, 2, 3, 4, 5]

/** One to five stars for a whole conversation, with an optional comment. */
export function starRating({ server, store, texts, moreTexts, announce, focusComposer }: MoreView): HTMLElement {
  const { session } = store.get()
  const node = element('div', { class: 'stars', role: 'group', 'aria-label': moreTexts.howWas })

  async function rate(stars: number, reason?: string) {
    try {
      await server.ask('rating', { session_id: session, stars, reason })
      announce(texts.rated)
      return true
    } catch {
      announce(texts.error)
      return false
    }
  }

  function show(stars: number) {
    const buttons = MOST.map((count) => {
      const label = formatText(moreTexts.stars, count)
      return element(
        'button',
        {
          type: 'button',
          class: count <= stars ? 'icon given' : 'icon',
          'aria-label': label,
          title: label,
          'aria-pressed': String(count === stars),
          click: async () => {
            if (!(await rate(count))) return
            show(count)
            node.append(commentForm(count))
            node.querySelector('textarea')?.focus()
            node.scrollIntoView({ block: 'nearest' })
          },
        },
        svgIcon(STAR),
      )
    })
    fill(node, element('p', {}, moreTexts.howWas), element('div', {}, ...buttons))
  }

  function commentForm(stars: number) {
    const text = element('textarea', {
      rows: 2,
      maxlength: 1000,
      dir: 'auto',
      placeholder: moreTexts.comment,
      'aria-label': moreTexts.comment,
    })
    const submit = async (event: Event) => {
      event.preventDefault()
      const reason = text.value.trim()
      // On failure, keep the comment for another attempt.
      if (reason && !(await rate(stars, reason))) return
      fill(node, element('p', {}, texts.rated))
      focusComposer()
    }
    return element('form', { submit }, text, element('button', { type: 'submit', class: 'pill' }, texts.send))
  }

  show(0)
  return node
}

const MAX_REASON_CHARS = 1000

/** Replaces the thumbs of an answer with a form that asks what was wrong. */
export function askWhy(
  bar: HTMLElement,
  rate: (reason: string) => Promise<boolean>,
  end: () => void,
  { texts, moreTexts }: MoreView,
) {
  const reason = element('textarea', {
    rows: 2,
    maxlength: MAX_REASON_CHARS,
    dir: 'auto',
    'aria-label': moreTexts.feedback,
    placeholder: moreTexts.feedback,
  })
  const submit = async (event: Event) => {
    event.preventDefault()
    const text = reason.value.trim()
    // On failure, keep the text for another attempt.
    if (!text || (await rate(text))) end()
  }
  const send = element('button', { class: 'pill', type: 'submit' }, texts.send)
  fill(bar, element('form', { submit }, reason, send, textButton(texts.cancel, end, 'link')))
  reason.focus()
  bar.scrollIntoView({ block: 'nearest' })
}
