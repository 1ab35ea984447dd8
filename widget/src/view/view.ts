// Shared by all parts of the view.
import type { WidgetConfig } from '@docent/contract'
import type { Conversation } from '../chat/conversation.ts'
import type { Entry } from '../chat/entries.ts'
import type { Server, VisitorDetails } from '../chat/server.ts'
import type { Store } from '../chat/store.ts'
import type { Locale } from '../host/load-texts.ts'
import { element } from './element.ts'
import { type Icon, icon } from './icon.ts'
import { safeImageUrl } from './markdown/safe-url.ts'

export type LoadMore = (base: string) => Promise<{ openMore: (view: View) => Promise<More> }>

/** The parts that load on use. */
export interface More {
  chime: () => void
  openMenu: (button: HTMLElement) => void
  openTools: (button: HTMLElement, input: HTMLTextAreaElement) => void
  askWhy: (bar: HTMLElement, rate: (reason: string) => Promise<boolean>, end: () => void) => void
  markSeen: (views: Map<Entry, { node: HTMLElement }>, until: string) => void
  /** Fills in everything but text, sources and buttons. */
  fillEntry: (node: HTMLElement, entry: Entry) => void
  /** Turns Markdown tables among the paragraphs into real ones. */
  showTables: (body: Element) => void
  /** Tells the server who the visitor is, and goes on with their conversation. */
  identify: (isOpen: boolean) => Promise<void>
  /** Shows the pre-chat form, or a request to log in, instead of the composer. */
  introduce: (log: HTMLElement, composer: HTMLElement) => void
}

export interface View extends Locale {
  host: HTMLElement
  base: string
  server: Server
  store: Store
  /** Loads the rarely used parts on first use, then calls `act`. */
  more: (act: (more: More) => void) => void
  /** Switches to another conversation of the visitor, or to a new one. */
  restart: (session: string | undefined, isOpen?: boolean) => void
  config: WidgetConfig
  /** A function, because the conversation is created after the view. */
  conversation: () => Conversation
  visitor: () => VisitorDetails
  /** Announces a text to screen readers. */
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

/** An uploaded image. */
export const avatar = <T extends Node | string>(
  { base, config }: Pick<View, 'base' | 'config'>,
  id: string | null | false,
  instead: T,
) => picture(id && `${base}/api/chat/${config.bot_id}/avatars/${id}`, instead)

/** An image, or what stands for it if there is none or it cannot be loaded. */
export function picture<T extends Node | string>(address: string | null | false, instead: T): HTMLElement | T {
  const src = safeImageUrl(address)
  if (!src) return instead
  const node = element('img', {
    src,
    alt: '',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    error: () => node.replaceWith(instead),
  })
  return node
}
