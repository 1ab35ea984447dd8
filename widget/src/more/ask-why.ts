import { element, fill } from '../view/element.ts'
import { textButton } from '../view/view.ts'
import type { MoreView } from './more-view.ts'

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
