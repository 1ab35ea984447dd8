// What every part of the view is handed.
import type { WidgetConfig } from '@docent/contract'
import type { Visitor } from '../docent-widget.d.ts'
import type { Conversation } from './conversation.ts'
import { element } from './element.ts'
import { type Icon, icon } from './icon.ts'
import type { Speech } from './load-words.ts'

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
