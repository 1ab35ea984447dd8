// <docent-chat>: the element that a page puts somewhere, or that the script puts into a corner.
import type { DocentApi, DocentEvents, Visitor } from '../../docent-widget.d.ts'
import type { LoadMore } from '../view/view.ts'
import type { Chat } from './mount.ts'
import { openChat } from './open-chat.ts'

// A page may listen to these as to any other event.
const PREFIX = 'docent-'

// Where there is no DOM (a page rendered on a server) importing must not fail.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export class DocentChat extends Base implements DocentApi {
  #chat: Promise<Chat | null> | undefined
  #visitor: Visitor = {}
  /** Parts that are needed now and then come from here. */
  static loadMore: LoadMore

  connectedCallback() {
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
    // Moved elsewhere on the page, it is back at once.
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#do((chat) => chat.close())
      this.#chat = undefined
    })
  }

  /** Once it is there. */
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

  identify({ name, email }: Visitor) {
    this.#visitor = { ...(name ? { name } : {}), ...(email ? { email } : {}) }
  }

  on<Name extends keyof DocentEvents>(name: Name, listener: (detail: DocentEvents[Name]) => void): () => void {
    const hear = (event: Event) => listener((event as CustomEvent<DocentEvents[Name]>).detail)
    this.addEventListener(PREFIX + name, hear)
    return () => this.removeEventListener(PREFIX + name, hear)
  }

  destroy() {
    this.remove()
  }
}

export function defineElement(loadMore: LoadMore) {
  DocentChat.loadMore = loadMore
  if (!customElements.get('docent-chat')) customElements.define('docent-chat', DocentChat)
}
