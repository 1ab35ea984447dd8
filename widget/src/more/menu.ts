// Actions on whole conversations: start a new one, return to an earlier one, email the transcript, rate it.
import type { OwnConversations } from '@docent/contract'
import { makeEntry } from '../chat/entries.ts'
import { toServerError } from '../chat/server.ts'
import { formatText } from '../host/texts.ts'
import { element, fill } from '../view/element.ts'
import type { MoreView } from './more-view.ts'

export function toggleMenu(button: HTMLElement, view: MoreView) {
  const { texts, moreTexts, config, store, conversation, restart } = view
  const root = button.getRootNode() as ShadowRoot
  const open = root.querySelector('.menu')
  if (open) return open.remove()

  const { token, session, muted } = store.get()
  const menu = element('div', { class: 'menu', role: 'menu', 'aria-label': texts.menu, keydown: onKey })
  const ending = new AbortController()
  const close = () => {
    ending.abort()
    menu.remove()
    button.focus()
  }
  const item = (label: string, act: () => void) =>
    element(
      'button',
      {
        type: 'button',
        role: 'menuitem',
        tabindex: -1,
        dir: 'auto',
        click: () => {
          close()
          act()
        },
      },
      label,
    )
  const tell = (text: string) => conversation().add(makeEntry('note', text))
  fill(
    menu,
    session && item(moreTexts.newChat, () => restart(undefined)),
    token && item(moreTexts.chats, () => showChats(button, view)),
    session &&
      config.chat_rating &&
      item(moreTexts.rate, () => conversation().add(makeEntry('note', '', { stars: true }))),
    config.sound && item(muted ? moreTexts.soundOn : moreTexts.soundOff, () => store.set({ muted: !muted })),
    !token && !config.sound && item(moreTexts.newChat, () => view.focusComposer()),
  )
  if (token && session)
    listChats(view).then(
      // Last, so that nothing moves under the pointer.
      (chats) =>
        chats.can_email_transcript && menu.append(item(moreTexts.transcript, () => requestTranscript(view).then(tell))),
      () => {},
    )

  function onKey(event: Event) {
    const { key } = event as KeyboardEvent
    const all = [...menu.children] as HTMLElement[]
    const at = all.indexOf(root.activeElement as HTMLElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step) all.at((at + step) % all.length)?.focus()
    else if (key === 'Home' || key === 'End') all.at(key === 'Home' ? 0 : -1)?.focus()
    else if (key === 'Escape' || key === 'Tab') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  button.closest('.header')?.after(menu)
  const { signal } = ending
  root.addEventListener(
    'pointerdown',
    (event) => {
      const path = event.composedPath()
      if (path.includes(menu) || path.includes(button)) return
      ending.abort()
      menu.remove()
    },
    { signal },
  )
  ;(menu.firstChild as HTMLElement | null)?.focus()
}

async function requestTranscript({ server, store, texts, moreTexts }: MoreView): Promise<string> {
  try {
    const response = await server.ask('transcript', { session_id: store.get().session })
    const { sent_to }: { sent_to: string } = await response.json()
    return formatText(moreTexts.sentTo, sent_to)
  } catch (error) {
    const { status } = toServerError(error)
    return status === 409 ? moreTexts.noAddress : status === 429 ? moreTexts.sentAlready : texts.error
  }
}

async function listChats({ server }: MoreView): Promise<OwnConversations> {
  return (await server.ask('conversations')).json()
}

/** Covers the conversation until one is chosen. */
async function showChats(button: HTMLElement, view: MoreView) {
  const { store, texts, moreTexts, language, restart, focusComposer } = view
  const panel = button.closest('.panel')
  const close = () => {
    sheet.remove()
    focusComposer()
  }
  const list = element('ul', {}, element('li', {}, '…'))
  const sheet = element(
    'div',
    {
      class: 'chats',
      role: 'dialog',
      'aria-label': moreTexts.chats,
      tabindex: -1,
      keydown(event) {
        if ((event as KeyboardEvent).key !== 'Escape') return
        event.stopPropagation()
        close()
      },
    },
    element('div', { class: 'bar' }, element('span', {}, moreTexts.chats), closeButton()),
    list,
  )
  function closeButton() {
    return element('button', { type: 'button', class: 'link', click: close }, texts.cancel)
  }
  panel?.append(sheet)
  sheet.focus()
  try {
    const { items } = await listChats(view)
    const others = items.filter(({ session_id }) => session_id !== store.get().session)
    const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
    fill(
      list,
      ...others.map(({ session_id, first_question, last_message: { role, text }, updated_at }) =>
        element(
          'li',
          {},
          element(
            'button',
            { type: 'button', class: 'chat-row', click: () => restart(session_id) },
            element('bdi', { class: 'chat-name' }, first_question ?? text),
            first_question !== text &&
              element('bdi', { class: 'chat-last' }, role === 'visitor' ? `${moreTexts.you}: ${text}` : text),
            element('small', {}, when.format(new Date(updated_at))),
          ),
        ),
      ),
    )
    if (others.length === 0) fill(list, element('li', {}, moreTexts.noChats))
  } catch {
    fill(list, element('li', {}, texts.error))
  }
}
