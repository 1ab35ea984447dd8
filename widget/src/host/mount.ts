// Assembles one widget on the page and handles opening, closing and removal.
import type { WidgetConfig } from '@docent/contract'
import type { Visitor } from '../../docent-widget.d.ts'
import type { Emit } from '../chat/context.ts'
import { type Conversation, openConversation } from '../chat/conversation.ts'
import type { openServer } from '../chat/server.ts'
import type { openStore } from '../chat/store.ts'
import { launcher } from '../view/launcher.ts'
import { panel } from '../view/panel.ts'
import type { LoadMore, View } from '../view/view.ts'
import type { Speech } from './load-words.ts'
import { openShadowRoot } from './shadow-root.ts'

export interface Options {
  host: HTMLElement
  botId: string
  server: string
  mode: string
  languages: readonly string[]
  emit: Emit
  visitor: () => Visitor
  loadMore: LoadMore
}

export interface Chat {
  conversation: Conversation
  setOpen(isOpen: boolean): void
  close(): void
}

interface Parts extends Omit<Options, 'server'> {
  base: string
  restart: View['restart']
  config: WidgetConfig
  server: ReturnType<typeof openServer>
  store: ReturnType<typeof openStore>
  speech: Speech
}

export function mount({
  host,
  mode,
  base,
  config,
  server,
  store,
  speech,
  emit,
  visitor,
  loadMore,
  restart,
}: Parts): Chat {
  const isBubble = mode === 'bubble'
  const frame = openShadowRoot({ host, mode, ...speech, config })
  const ending = new AbortController()
  let isOpen = false

  const corner = launcher({ words: speech.words, base, config, store, onClick: () => setOpen(!isOpen) })
  const main = panel({
    ...speech,
    ...{ mode, host, base, server, config, store, visitor, loadMore, restart },
    conversation: () => conversation,
    onClose: () => setOpen(false),
  })
  const conversation = openConversation({
    ...{ server, store, config, visitor, words: speech.words, show: main.show },
    emit(name, detail) {
      emit(name, detail)
      corner.update(isOpen)
    },
    isOpen: () => isOpen,
  })

  function load() {
    main.quietly(conversation.load()).then(
      () => main.warn(navigator.onLine ? null : speech.words.offline),
      () => main.warn(speech.words.error, load),
    )
  }

  function setOpen(next: boolean, moveFocus = true) {
    if (next === isOpen || !(next || isBubble)) return
    isOpen = next
    main.node.hidden = !next
    frame.root.classList.toggle('open', next)
    if (isBubble) {
      store.set({ open: next, ...(next ? { unread: 0 } : {}) })
      corner.silence()
      corner.update(next)
    }
    conversation.attend()
    if (next) {
      load()
      if (!conversation.isCurrent()) conversation.refresh().catch(() => {})
      main.reveal()
    }
    if (moveFocus && isBubble) (next ? main : corner).focus()
    emit(next ? 'open' : 'close', {})
  }

  const { signal } = ending
  const listen = (target: EventTarget, name: string, listener: (event: Event) => void) =>
    target.addEventListener(name, listener, { signal })
  listen(window, 'offline', () => main.warn(speech.words.offline))
  listen(window, 'online', () => main.warn(null))
  listen(window, 'storage', (event) => {
    if (!store.isOurs(event as StorageEvent)) return
    if (isOpen && !conversation.isCurrent()) conversation.refresh().catch(() => {})
    corner.update(isOpen)
  })
  listen(frame.root, 'keydown', (event) => {
    const { key } = event as KeyboardEvent
    if (key === 'Escape' && isBubble && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
    if (key === 'Tab' && isBubble && isOpen) frame.trap(event as KeyboardEvent, main.node)
  })

  main.node.hidden = true
  frame.root.append(main.node)
  if (isBubble) {
    frame.root.append(corner.node)
    corner.update(false)
    corner.arm()
    if (store.get().open && !frame.isPhone()) setOpen(true, false)
    else if (conversation.isAwaited()) load()
  } else setOpen(true, false)

  return {
    conversation,
    setOpen,
    close() {
      ending.abort()
      corner.stop()
      conversation.close()
      frame.close()
    },
  }
}
