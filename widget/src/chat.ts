// One widget on one page: puts the parts together and opens, closes and ends them.
import type { WidgetConfig } from '@docent/contract'
import type { Visitor } from '../docent-widget.d.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { element } from './element.ts'
import { launcher } from './launcher.ts'
import { loadWords, type Speech } from './load-words.ts'
import { panel } from './panel.ts'
import { openServer, refusalOf } from './server.ts'
import { setStage } from './stage.ts'
import { openStore } from './store.ts'
import type { Emit } from './surroundings.ts'
import { textButton } from './view.ts'

interface Given {
  host: HTMLElement
  botId: string
  server: string
  mode: string
  languages: readonly string[]
  emit: Emit
  visitor: () => Visitor
}

export interface Chat {
  conversation: Conversation
  setOpen(isOpen: boolean): void
  close(): void
}

/** Null when the bot cannot be reached and there is nothing on the page that could say so. */
export async function openChat(given: Given): Promise<Chat | null> {
  const { host, botId, server: base, mode, languages, emit } = given
  const store = openStore(botId)
  const server = openServer(base, botId, () => store.get().token)
  if (mode === 'bubble') await idle()
  for (;;) {
    try {
      const [config, speech] = await Promise.all([server.config(), loadWords(base, languages)])
      if (!host.isConnected) return null
      return putTogether({ ...given, config, server, store, speech })
    } catch (error) {
      const { status, message } = refusalOf(error)
      emit('error', { status, message })
      if (mode === 'bubble') return null
      await new Promise<void>((again) => sayClosed(host, mode, again))
    }
  }
}

/** Without the server there are no words in other languages either. */
function sayClosed(host: HTMLElement, mode: string, again: () => void) {
  const { root } = setStage({ host, mode, language: 'en', direction: 'ltr', config: null })
  root.append(
    element('p', { class: 'panel closed' }, 'The chat cannot be reached right now.', textButton('Try again', again)),
  )
}

interface Parts extends Omit<Given, 'server'> {
  config: WidgetConfig
  server: ReturnType<typeof openServer>
  store: ReturnType<typeof openStore>
  speech: Speech
}

function putTogether({ host, mode, config, server, store, speech, emit, visitor }: Parts): Chat {
  const isBubble = mode === 'bubble'
  const stage = setStage({ host, mode, ...speech, config })
  const ending = new AbortController()
  let isOpen = false

  const corner = launcher({ words: speech.words, config, store, onClick: () => setOpen(!isOpen) })
  const main = panel({
    ...speech,
    ...{ mode, config, store, visitor },
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
      () => main.warn(speech.words.broken, load),
    )
  }

  function setOpen(next: boolean, moveFocus = true) {
    if (next === isOpen || !(next || isBubble)) return
    isOpen = next
    main.node.hidden = !next
    stage.root.classList.toggle('open', next)
    if (isBubble) {
      store.set({ open: next, ...(next ? { unread: 0 } : {}) })
      corner.dismiss()
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
  listen(stage.root, 'keydown', (event) => {
    const { key } = event as KeyboardEvent
    if (key === 'Escape' && isBubble && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
    if (key === 'Tab' && isBubble && isOpen) stage.trap(event as KeyboardEvent, main.node)
  })

  main.node.hidden = true
  stage.root.append(main.node)
  if (isBubble) {
    stage.root.append(corner.node)
    corner.update(false)
    corner.arm()
    if (store.get().open && !stage.isPhone()) setOpen(true, false)
    else if (conversation.isAwaited()) load()
  } else setOpen(true, false)

  return {
    conversation,
    setOpen,
    close() {
      ending.abort()
      corner.dismiss()
      conversation.close()
      stage.close()
    },
  }
}

/** The host page comes first. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve, 1)
  })
}
