// Assembles one widget on the page and handles opening, closing and removal.
import type { WidgetConfig } from '@docent/contract'
import type { Emit } from '../chat/context.ts'
import { type Conversation, makeConversation } from '../chat/conversation.ts'
import type { makeServer, VisitorDetails } from '../chat/server.ts'
import type { makeStore } from '../chat/store.ts'
import { makeLauncher } from '../view/launcher.ts'
import { makePanel } from '../view/panel.ts'
import type { LoadMore, View } from '../view/view.ts'
import type { Locale } from './load-texts.ts'
import { makeShadowRoot } from './shadow-root.ts'

export interface Options {
  host: HTMLElement
  botId: string
  server: string
  mode: string
  languages: readonly string[]
  emit: Emit
  visitor: () => VisitorDetails
  loadMore: LoadMore
}

export interface Chat {
  conversation: Conversation
  setOpen(isOpen: boolean): void
  /** Call after the page has said who the visitor is. */
  identify(): void
  close(): void
}

interface Parts extends Omit<Options, 'server'> {
  base: string
  restart: View['restart']
  config: WidgetConfig
  server: ReturnType<typeof makeServer>
  store: ReturnType<typeof makeStore>
  locale: Locale
}

export function mount(parts: Parts): Chat {
  const { mode, store, locale, emit, visitor } = parts
  const isBubble = mode === 'bubble'
  const frame = makeShadowRoot({ ...parts, ...locale })
  const ending = new AbortController()
  let isOpen = false
  /** The token that was last presented. */
  let lastToken: unknown = null

  const launcher = makeLauncher({ ...parts, ...locale, onClick: () => setOpen(!isOpen) })
  const panel = makePanel({
    ...parts,
    ...locale,
    conversation: () => conversation,
    onClose: () => setOpen(false),
  })
  const conversation = makeConversation({
    ...parts,
    ...locale,
    show: panel.show,
    emit(name, detail) {
      emit(name, detail)
      launcher.update(isOpen)
    },
    isOpen: () => isOpen,
  })

  /** Loads the parts for it only for visitors who are, or were, logged in. */
  function identify(then = () => {}) {
    const { user_token: token } = visitor()
    const isNew = token !== lastToken && (token || store.get().known)
    lastToken = token
    if (isNew) panel.more((more) => more.identify(isOpen).then(then))
    else then()
  }

  function load() {
    identify(() =>
      panel.quietly(conversation.load()).then(
        () => panel.warn(navigator.onLine ? null : locale.texts.offline),
        () => panel.warn(locale.texts.error, load),
      ),
    )
  }

  function setOpen(next: boolean, moveFocus = true) {
    if (next === isOpen || !(next || isBubble)) return
    isOpen = next
    panel.node.hidden = !next
    frame.root.classList.toggle('open', next)
    if (isBubble) {
      store.set({ open: next, ...(next && { unread: 0 }) })
      launcher.silence()
      launcher.update(next)
    }
    conversation.onToggle()
    if (next) {
      load()
      if (!conversation.isCurrent()) conversation.refresh().catch(() => {})
      panel.reveal()
    }
    if (moveFocus && isBubble) (next ? panel : launcher).focus()
    emit(next ? 'open' : 'close', {})
  }

  const listen = (target: EventTarget, name: string, listener: (event: Event) => void) =>
    target.addEventListener(name, listener, ending)
  listen(window, 'offline', () => panel.warn(locale.texts.offline))
  listen(window, 'online', () => panel.warn(null))
  listen(window, 'storage', (event) => {
    if (!store.isOurs(event as StorageEvent)) return
    if (isOpen && !conversation.isCurrent()) conversation.refresh().catch(() => {})
    launcher.update(isOpen)
  })
  listen(frame.root, 'keydown', (event) => {
    const { key } = event as KeyboardEvent
    if (key === 'Escape' && isBubble && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
    if (key === 'Tab' && isBubble && isOpen) frame.trap(event as KeyboardEvent, panel.node)
  })

  panel.node.hidden = true
  frame.root.append(panel.node)
  if (isBubble) {
    frame.root.append(launcher.node)
    launcher.update(false)
    launcher.start()
    if (store.get().open && !frame.isPhone()) setOpen(true, false)
    else if (conversation.isHandoverOpen()) load()
  } else setOpen(true, false)

  return {
    conversation,
    setOpen,
    identify,
    close() {
      ending.abort()
      launcher.stop()
      conversation.close()
      frame.close()
    },
  }
}
