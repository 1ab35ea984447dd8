// The round button, its badge, and the message that may speak first.
import type { WidgetConfig } from '@docent/contract'
import type { Store } from '../chat/store.ts'
import { say, type Words } from '../host/words.ts'
import { element, fill } from './element.ts'
import { icon } from './icon.ts'
import { iconButton, textButton } from './view.ts'

type Proactive = NonNullable<WidgetConfig['proactive']>

interface Props {
  words: Words
  config: WidgetConfig
  store: Store
  onClick: () => void
}

export function launcher({ words, config: { proactive }, store, onClick }: Props) {
  const badge = element('span', { class: 'badge', hidden: true })
  const button = element(
    'button',
    { type: 'button', class: 'launcher', 'aria-haspopup': 'dialog', 'aria-controls': 'panel', click: onClick },
    icon('chat'),
    badge,
  )
  const nudge = element('div', { class: 'nudge', role: 'status' })
  const node = element('div', { class: 'corner' }, nudge, button)
  let timer: ReturnType<typeof setInterval> | undefined
  let page = ''
  let cameAt = 0

  function dismiss() {
    clearInterval(timer)
    fill(nudge)
  }

  /** Looked at again and again, for pages that change their address without being loaded anew. */
  function speakFirst() {
    const { href } = location
    if (page !== href) cameAt = Date.now()
    page = href
    const { message, delay_seconds, page_pattern } = proactive as Proactive
    if (Date.now() < cameAt + delay_seconds * 1000 || !matchesPage(page_pattern, href)) return
    dismiss()
    if (store.get().nudged === message) return
    store.set({ nudged: message })
    fill(nudge, textButton(message, onClick, 'say'), iconButton('close', words.cancel, dismiss))
  }

  return {
    node,
    focus: () => button.focus(),
    dismiss,
    update(isOpen: boolean) {
      const { unread = 0 } = store.get()
      const count = isOpen ? 0 : unread
      badge.hidden = count === 0
      badge.textContent = count > 9 ? '9+' : String(count)
      const label = isOpen ? words.close : words.open
      button.setAttribute('aria-label', count > 0 ? `${label}. ${say(words.unread, count)}` : label)
      button.setAttribute('aria-expanded', String(isOpen))
      button.replaceChild(icon(isOpen ? 'close' : 'chat'), button.firstChild as Node)
    },
    /** Begins to wait for the moment to speak first. */
    arm() {
      if (proactive) timer = setInterval(speakFirst, 500)
    },
  }
}

/** Whether the address has the parts between the stars, in their order. */
export function matchesPage(pattern: string | null, address: string): boolean {
  let at = 0
  return (pattern ?? '').split('*').every((part) => {
    const found = address.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}
