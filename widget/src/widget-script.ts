// /widget.js: finds its own script tag, adds the widget to a corner of the page, and sets window.Docent.
import type { DocentApi } from '../docent-widget.d.ts'
import { defineElement } from './host/docent-chat.ts'

const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[data-bot][src*="/widget.js"]')
const { bot, server, mode, lang, userToken } = script?.dataset ?? {}
const address = server ?? (script ? new URL('.', script.src).href : location.origin)

function start() {
  // Elements already on the page use the same server by default.
  for (const element of document.querySelectorAll('docent-chat:not([server])')) element.setAttribute('server', address)
  defineElement((base) => import(`${base}/widget/more.js`))
  const existingChat = document.querySelector('docent-chat')
  if (!bot || existingChat) return existingChat && exposeApi(existingChat)
  const chat = document.createElement('docent-chat')
  chat.setAttribute('bot', bot)
  chat.setAttribute('server', address)
  if (mode) chat.setAttribute('mode', mode)
  if (userToken) chat.dataset.userToken = userToken
  if (lang) chat.lang = lang
  document.body.append(chat)
  exposeApi(chat)
}

/** Also runs calls made before the script loaded, for which window.Docent is an array of functions. */
function exposeApi(chat: DocentApi) {
  const page = window as unknown as { Docent?: unknown }
  const early = page.Docent
  page.Docent = Object.assign(chat, { push: (call: (api: DocentApi) => void) => call(chat) })
  if (Array.isArray(early)) for (const call of early) call(chat)
}

if (document.body) start()
else addEventListener('DOMContentLoaded', start)
