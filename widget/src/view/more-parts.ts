// What the parts that load on use do for the others.
import type { Entry } from '../chat/entries.ts'

export interface More {
  chime: () => void
  openMenu: (button: HTMLElement) => void
  openTools: (button: HTMLElement, input: HTMLTextAreaElement) => void
  askWhy: (bar: HTMLElement, rate: (reason: string) => Promise<boolean>, end: () => void) => void
  markSeen: (views: Map<Entry, { node: HTMLElement }>, until: string) => void
  /** What an entry has beside text, sources and buttons. */
  fillEntry: (node: HTMLElement, entry: Entry) => void
  /** The form before the first message, in place of what the visitor writes in. */
  introduce: (log: HTMLElement, composer: HTMLElement) => void
}
