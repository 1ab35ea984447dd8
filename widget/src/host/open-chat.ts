// Loads configuration and texts, then mounts the chat. If that fails, an inline chat shows an error.

import { openServer, refusalOf } from '../chat/server.ts'
import { openStore } from '../chat/store.ts'
import { element } from '../view/element.ts'
import { textButton } from '../view/view.ts'
import { loadWords } from './load-words.ts'
import { type Chat, mount, type Options } from './mount.ts'
import { openShadowRoot } from './shadow-root.ts'

/** Null if the bot cannot be reached and the page has no place to show an error. */
export async function openChat(given: Options): Promise<Chat | null> {
  const { host, botId, server: base, mode, languages, emit } = given
  const store = openStore(botId)
  const server = openServer(base, botId, () => store.get().token)
  if (mode === 'bubble') await idle()
  for (;;) {
    try {
      const [config, speech] = await Promise.all([server.config(), loadWords(base, languages)])
      if (!host.isConnected) return null
      const parts = { ...given, base, config, server, store, speech, restart }
      const chat = mount(parts)
      return chat

      function restart(session: string | undefined) {
        chat.close()
        store.set({ session, last: undefined, unread: 0, unsent: [], handover: 'none', askedAt: undefined })
        Object.assign(chat, mount(parts))
        chat.setOpen(true)
      }
    } catch (error) {
      const { status, message } = refusalOf(error)
      emit('error', { status, message })
      if (status === 403) console.warn(`Docent: add ${location.origin} to the bot’s allowed sites (Appearance).`)
      if (mode === 'bubble') return null
      await new Promise<void>((again) => sayClosed(host, mode, again))
    }
  }
}

/** English, because the texts come from the server. */
function sayClosed(host: HTMLElement, mode: string, again: () => void) {
  const { root } = openShadowRoot({ host, mode, language: 'en', direction: 'ltr', config: null })
  root.append(
    element('p', { class: 'panel closed' }, 'The chat is unavailable right now.', textButton('Try again', again)),
  )
}

/** Lets the host page load first. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve)
  })
}
