// Dependencies of a conversation.
import type { HandoverStatus, WidgetConfig } from '@docent/contract'
import type { DocentEvents } from '../../docent-widget.d.ts'
import type { Texts } from '../host/texts.ts'
import { type Server, toServerError, type VisitorDetails } from './server.ts'
import type { Store } from './store.ts'
import type { EntryDisplay } from './timeline.ts'

export type Emit = <Name extends keyof DocentEvents>(name: Name, detail: DocentEvents[Name]) => void

export interface Display extends EntryDisplay {
  handover(status: HandoverStatus, agentName: string | null): void
  typing(name: string | null): void
  /** An agent has read all messages up to this time. */
  seen(until: string | null): void
  chime(): void
  /** Whether older messages can be loaded. */
  earlier(isThere: boolean): void
}

export interface Context {
  server: Server
  store: Store
  config: WidgetConfig
  texts: Texts
  show: Display
  emit: Emit
  isOpen: () => boolean
  visitor: () => VisitorDetails
}

/** The conversation and page of a request, and where the visitor is. */
export function requestContext({ server, store, visitor }: Pick<Context, 'server' | 'store' | 'visitor'>) {
  const { href } = location
  return {
    session_id: store.get().session,
    page_url: /^https?:.{0,2040}$/.test(href) ? href : undefined,
    referrer: document.referrer,
    locale: server.locale,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...visitor(),
  }
}

/** Emits an error event and returns the text for the visitor. */
export function reportError(error: unknown, { texts, emit }: Pick<Context, 'texts' | 'emit'>): string {
  const { status, message } = toServerError(error)
  emit('error', { status, message })
  if ([401, 429].includes(status) && message) return message
  return navigator.onLine ? texts.error : texts.offline
}
