// /widget.js: finds its own tag, puts the widget into a corner of the page, and offers window.Docent.
import type { DocentApi } from '../docent-widget.d.ts'
import { defineElement } from './docent-chat.ts'

type Queue = ((api: DocentApi) => void)[]

const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[data-bot][src*="/widget.js"]')
const { bot, server, mode, lang } = script?.dataset ?? {}
const address = server ?? (script ? new URL('.', script.src).href : location.origin)

function begin() {
  // Elements on the page need not say again where the server is.
  for (const element of document.querySelectorAll('docent-chat:not([server])')) element.setAttribute('server', address)
  defineElement()
  const existing = document.querySelector('docent-chat')
  if (!bot || existing) return existing && offer(existing)
  const chat = document.createElement('docent-chat')
  chat.setAttribute('bot', bot)
  chat.setAttribute('server', address)
  if (mode) chat.setAttribute('mode', mode)
  if (lang) chat.lang = lang
  document.body.append(chat)
  offer(chat)
}

/** Calls that came before the script did are made up for: window.Docent may be a list of functions. */
function offer(chat: DocentApi) {
  const page = window as unknown as { Docent?: unknown }
  const early = Array.isArray(page.Docent) ? (page.Docent as Queue) : []
  const bound = (name: keyof DocentApi) => (chat[name] as (...given: never[]) => unknown).bind(chat)
  const names = ['open', 'close', 'send', 'identify', 'on', 'destroy'] as const
  const api = Object.fromEntries(names.map((name) => [name, bound(name)])) as unknown as DocentApi
  page.Docent = Object.assign(api, { push: (call: Queue[0]) => call(api) })
  for (const call of early) call(api)
}

if (document.body) begin()
else addEventListener('DOMContentLoaded', begin)
