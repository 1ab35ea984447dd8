// The widget's public API.

export interface Visitor {
  name?: string | undefined
  email?: string | undefined
  /** What else your team should see beside the conversation: a flat object of at most 4 KB; the rest is left out. Not proof of anything. */
  attributes?: Record<string, string | number | boolean | null> | undefined
  /** Proves who the visitor is: a JWT that your server signed. Null logs them out. */
  token?: string | null | undefined
}

export interface DocentEvents {
  open: Record<string, never>
  close: Record<string, never>
  /** The visitor sent a message. */
  message: { text: string }
  /** The bot or an agent replied. */
  reply: { role: 'bot' | 'agent'; text: string }
  /** The visitor left contact details. */
  lead: { fields: Record<string, string> }
  handover: { status: 'none' | 'requested' | 'active' | 'closed'; agent_name: string | null }
  /** The visitor's token is no longer accepted: call `identify` with a new one. Until then they are anonymous. */
  expired: Record<string, never>
  /** Status 0: the server could not be reached. */
  error: { status: number; message: string }
}

export interface DocentApi {
  open(): void
  close(): void
  /** Opens the panel and sends this as the visitor. */
  send(text: string): void
  /** Says who the visitor is: sent with messages and filled into forms. Replaces what was said before, except the token. */
  identify(visitor: Visitor): void
  /** Returns a function that removes the listener. */
  on<Name extends keyof DocentEvents>(name: Name, listener: (detail: DocentEvents[Name]) => void): () => void
  /** Removes the widget from the page, but keeps the visitor's data in the browser. */
  destroy(): void
}

/** `<docent-chat bot="bot_…" server="https://…" mode="bubble|inline|page" lang="…" data-user-token="…">` */
export declare class DocentChat extends HTMLElement implements DocentApi {
  open(): void
  close(): void
  send(text: string): void
  identify(visitor: Visitor): void
  on<Name extends keyof DocentEvents>(name: Name, listener: (detail: DocentEvents[Name]) => void): () => void
  destroy(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'docent-chat': DocentChat
  }
  interface Window {
    Docent?: DocentApi
  }
}
