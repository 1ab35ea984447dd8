// The chat button, its badge, and proactive messages.
import type { WidgetConfig } from '@docent/contract'
import type { Store } from '../chat/store.ts'
import { formatText, type Texts } from '../host/texts.ts'
import { element, fill } from './element.ts'
import { icon } from './icon.ts'
import { avatar, iconButton, textButton } from './view.ts'

interface Props {
  texts: Texts
  base: string
  config: WidgetConfig
  store: Store
  onClick: () => void
}

export function makeLauncher({ texts, base, config, store, onClick }: Props) {
  const { launcher_text: text, launcher_icon, proactive, proactive_messages, show_on, hide_on } = config
  const badge = element('span', { class: 'badge', hidden: true })
  const symbol = icon(launcher_icon)
  const face = avatar({ base, config }, config.avatar, symbol)
  const button = element(
    'button',
    { type: 'button', class: 'launcher', 'aria-haspopup': 'dialog', 'aria-controls': 'panel', click: onClick },
    element('bdi'),
    badge,
  )
  const nudge = element('div', { class: 'nudge', role: 'status' })
  const node = element('div', { class: 'corner' }, nudge, button)
  const messages = [proactive ?? [], proactive_messages].flat()
  let timer: ReturnType<typeof setInterval> | undefined
  let isSilenced = false
  let page = ''
  let arrivedAt = 0

  const dismiss = () => fill(nudge)

  /** Polled, because single-page apps change the URL without a reload. */
  function checkPage() {
    const { href } = location
    if (page !== href) arrivedAt = Date.now()
    page = href
    const isOn = (pattern: string | null) => matchesPage(pattern, href)
    node.hidden = hide_on.some(isOn) || (show_on.length > 0 && !show_on.some(isOn))
    if (node.hidden || isSilenced || nudge.firstChild) return
    const shownNudges = [store.get().nudged ?? []].flat()
    const next = messages.find(
      ({ message, delay_seconds, page_pattern }) =>
        !shownNudges.includes(message) && Date.now() >= arrivedAt + delay_seconds * 1000 && isOn(page_pattern),
    )
    if (!next) return
    store.set({ nudged: [...shownNudges, next.message] })
    fill(nudge, textButton(next.message, onClick, 'say'), iconButton('close', texts.cancel, dismiss))
  }

  return {
    node,
    focus: () => button.focus(),
    /** No proactive messages once the visitor has opened the chat. */
    silence() {
      isSilenced = true
      dismiss()
    },
    stop: () => clearInterval(timer),
    update(isOpen: boolean) {
      const { unread = 0 } = store.get()
      const count = isOpen ? 0 : unread
      badge.hidden = !count
      badge.textContent = count > 9 ? '9+' : String(count)
      button.classList.toggle('wide', !isOpen && Boolean(text))
      const label = isOpen ? texts.close : (text ?? texts.open)
      button.setAttribute('aria-label', count ? `${label}. ${formatText(texts.unread, count)}` : label)
      button.setAttribute('aria-expanded', String(isOpen))
      fill(button.firstChild as Element, isOpen ? icon('close') : face, !isOpen && text)
    },
    /** Shows or hides the button by page, and starts the timers of the proactive messages. */
    start() {
      checkPage()
      if (messages.length + show_on.length + hide_on.length) timer = setInterval(checkPage, 500)
    },
  }
}

/** Whether the URL contains the parts between the asterisks, in order. */
export function matchesPage(pattern: string | null, address: string): boolean {
  let at = 0
  return (pattern ?? '').split('*').every((part) => {
    const position = address.indexOf(part, at)
    at = position + part.length
    return position >= 0
  })
}
