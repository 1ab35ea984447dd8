// What every part of the view is handed.
import type { WidgetConfig } from '@docent/contract'
import type { Visitor } from '../../docent-widget.d.ts'
import type { Conversation } from '../chat/conversation.ts'
import type { Speech } from '../host/load-words.ts'
import { element } from './element.ts'
import { type Icon, icon } from './icon.ts'
import { safeImageUrl } from './markdown/safe-url.ts'

export interface View extends Speech {
  config: WidgetConfig
  /** Made after the view, which shows it. */
  conversation: () => Conversation
  visitor: () => Visitor
  /** Told to those who do not see the screen. */
  announce: (text: string) => void
  focusComposer: () => void
}

export function iconButton(name: Icon, label: string, click: () => void, attributes: Record<string, string> = {}) {
  return element(
    'button',
    { type: 'button', class: 'icon', 'aria-label': label, title: label, click, ...attributes },
    icon(name),
  )
}

export function textButton(label: string, click: () => void, className = 'pill') {
  return element('button', { type: 'button', class: className, dir: 'auto', click }, label)
}

/** One that the page's policy or the network refuses leaves no hole. */
export function picture(address: string | null): HTMLElement | null {
  const src = safeImageUrl(address)
  if (!src) return null
  const node = element('img', {
    src,
    alt: '',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    error: () => node.remove(),
  })
  return node
}
