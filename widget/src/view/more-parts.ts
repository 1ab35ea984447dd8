// The parts that load on use.
import type { Entry } from '../chat/entries.ts'

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
