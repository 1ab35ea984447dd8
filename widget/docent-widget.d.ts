// What a page may use of the widget. The sources implement it.

export interface Visitor {
  name?: string
  email?: string
}

export interface DocentEvents {
  open: Record<string, never>
  close: Record<string, never>
  /** The visitor wrote this. */
  message: { text: string }
  /** The bot or a person answered. */
  reply: { role: 'bot' | 'agent'; text: string }
  /** The visitor left contact details. */
  lead: { fields: Record<string, string> }
  handover: { status: 'none' | 'requested' | 'active' | 'closed'; agent_name: string | null }
  /** Status 0: the server could not be reached. */
  error: { status: number; message: string }
}

export interface DocentApi {
  open(): void
  close(): void
  /** Opens the panel and sends this as the visitor. */
  send(text: string): void
  /** Who the visitor is, as far as your page knows; sent along with messages and filled into the form. */
  identify(visitor: Visitor): void
  /** Returns what stops the listening. */
  on<Name extends keyof DocentEvents>(name: Name, listener: (detail: DocentEvents[Name]) => void): () => void
  /** Takes the widget off the page. What the visitor wrote stays in the browser. */
  destroy(): void
}

/** `<docent-chat bot="bot_…" server="https://…" mode="bubble|inline|page" lang="…">` */
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
