// The <docent-chat> element, placed by the page or by widget.js.
import type { DocentApi, DocentEvents, Visitor } from '../../docent-widget.d.ts'
import type { VisitorDetails } from '../chat/server.ts'
import type { LoadMore } from '../view/view.ts'
import type { Chat } from './mount.ts'
import { openChat } from './open-chat.ts'

const MAX_ATTRIBUTES_BYTES = 4096
// DOM event names.
const PREFIX = 'docent-'

// Importing must not fail during server-side rendering.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export class DocentChat extends Base implements DocentApi {
  #chat: Promise<Chat | null> | undefined
  #visitor: VisitorDetails = {}
  /** Loads the parts that load on use. */
  static loadMore: LoadMore

  connectedCallback() {
    this.#visitor.user_token ??= this.dataset.userToken
    // Read once: after a log-out, moving the element must not bring it back.
    delete this.dataset.userToken
    this.#chat ??= openChat({
      host: this,
      botId: this.getAttribute('bot') ?? '',
      server: (this.getAttribute('server') ?? location.origin).replace(/\/+$/, ''),
      mode: this.getAttribute('mode') ?? 'bubble',
      languages: this.lang ? [this.lang] : navigator.languages,
      emit: (name, detail) => this.dispatchEvent(new CustomEvent(PREFIX + name, { detail })),
      visitor: () => this.#visitor,
      loadMore: DocentChat.loadMore,
    })
  }

  disconnectedCallback() {
    // Moving the element disconnects and reconnects it.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#do((chat) => chat.close())
      this.#chat = undefined
    })
  }

  #do(act: (chat: Chat) => void) {
    this.#chat?.then((chat) => chat && act(chat))
  }

  open() {
    this.#do((chat) => chat.setOpen(true))
  }

  close() {
    this.#do((chat) => chat.setOpen(false))
  }

  send(text: string) {
    this.open()
    this.#do((chat) => chat.conversation.send(text))
  }

  identify({ name, email, attributes, token = this.#visitor.user_token }: Visitor) {
    let metadata = attributes && {}
    for (const [key, value] of Object.entries(attributes ?? {})) {
      const next = { ...metadata, [key]: value }
      // The server refuses these, and would refuse every message with them.
      if (Object(value) === value || new Blob([JSON.stringify(next)]).size > MAX_ATTRIBUTES_BYTES)
        console.warn('Docent: refused', key)
      else metadata = next
    }
    this.#visitor = {
      visitor: { name: name || undefined, email: email || undefined },
      metadata: metadata || undefined,
      user_token: token || undefined,
    }
    this.#do((chat) => chat.identify())
  }

  on<Name extends keyof DocentEvents>(name: Name, listener: (detail: DocentEvents[Name]) => void): () => void {
    const handler = (event: Event) => listener((event as CustomEvent<DocentEvents[Name]>).detail)
    this.addEventListener(PREFIX + name, handler)
    return () => this.removeEventListener(PREFIX + name, handler)
  }

  destroy() {
    this.remove()
  }
}

export function defineElement(loadMore: LoadMore) {
  DocentChat.loadMore = loadMore
  if (!customElements.get('docent-chat')) customElements.define('docent-chat', DocentChat)
}
