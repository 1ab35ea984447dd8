// Loads configuration and texts, then mounts the chat. If that fails, an inline chat shows an error.

import { makeServer, toServerError } from '../chat/server.ts'
import { makeStore } from '../chat/store.ts'
import { element } from '../view/element.ts'
import { textButton } from '../view/view.ts'
import { loadTexts, pickLanguage } from './load-texts.ts'
import { type Chat, mount, type Options } from './mount.ts'
import { makeShadowRoot } from './shadow-root.ts'

/** Null if the bot cannot be reached and the page has no place to show an error. */
export async function openChat(options: Options): Promise<Chat | null> {
  const { host, botId, server: base, mode, languages, emit, visitor } = options
  const store = makeStore(botId)
  const language = pickLanguage(languages)
  const server = makeServer(
    base,
    botId,
    host.lang ? language : navigator.language,
    () => store.get().token,
    (userToken) => {
      const details = visitor()
      // Unless the page has said again who the visitor is.
      if (details.user_token !== userToken) return
      details.user_token = undefined
      emit('expired', {})
    },
  )
  if (mode === 'bubble') await waitUntilIdle()
  for (;;) {
    try {
      const [config, locale] = await Promise.all([server.config(language), loadTexts(base, language)])
      if (!host.isConnected) return null
      const parts = { ...options, base, config, server, store, locale, restart }
      const chat = mount(parts)
      return chat

      function restart(session: string | undefined, isOpen = true) {
        chat.close()
        store.set({ session, last: undefined, unread: 0, unsent: [], handover: 'none', askedAt: undefined })
        Object.assign(chat, mount(parts))
        chat.setOpen(isOpen)
      }
    } catch (error) {
      const { status, message } = toServerError(error)
      emit('error', { status, message })
      if (status === 403) console.warn(message)
      if (mode === 'bubble') return null
      await new Promise<void>((again) => showUnavailable(host, mode, again))
    }
  }
}

/** English, because the texts come from the server. */
function showUnavailable(host: HTMLElement, mode: string, again: () => void) {
  const { root } = makeShadowRoot({ host, mode, language: 'en', direction: 'ltr', config: null })
  root.append(
    element('p', { class: 'panel closed' }, 'The chat is unavailable right now.', textButton('Try again', again)),
  )
}

/** Lets the host page load first. */
function waitUntilIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 2000 })
    else setTimeout(resolve)
  })
}
