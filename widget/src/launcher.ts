// The round button, its badge, and the message that may speak first.
import type { WidgetConfig } from '@docent/contract'
import { element, fill } from './element.ts'
import { icon } from './icon.ts'
import type { Store } from './store.ts'
import { iconButton } from './view.ts'
import { say, type Words } from './words.ts'

interface Given {
  words: Words
  config: WidgetConfig
  store: Store
  onClick: () => void
}

export function launcher({ words, config: { proactive }, store, onClick }: Given) {
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
    if (
      !proactive ||
      Date.now() < cameAt + proactive.delay_seconds * 1000 ||
      !matchesPage(proactive.page_pattern, href)
    )
      return
    dismiss()
    if (store.get().nudged === proactive.message) return
    store.set({ nudged: proactive.message })
    fill(
      nudge,
      element('button', { type: 'button', class: 'say', dir: 'auto', click: onClick }, proactive.message),
      iconButton('close', words.cancel, dismiss),
    )
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
