// The state of one conversation. It uses the server, the browser's store and a view, but no DOM.

import type { Context } from './context.ts'
import { type Entry, makeEntry } from './entries.ts'
import { isHandoverOpen, makeHandover } from './handover.ts'
import { makeLiveUpdates } from './live-updates.ts'
import type { ServerEvent } from './read-events.ts'
import { makeSendMessage } from './send-message.ts'
import { toServerError } from './server.ts'
import { makeTimeline } from './timeline.ts'

export type Conversation = ReturnType<typeof makeConversation>

export function makeConversation(context: Context) {
  const { server, store, config, texts, show, emit, isOpen } = context
  const timeline = makeTimeline(show, store)
  let isLoaded = !store.get().token
  let loading: Promise<void> | undefined

  const live = makeLiveUpdates({
    // A visitor who starts a new conversation has no session yet.
    isWanted: () => isLoaded && Boolean(store.get().session) && (isOpen() || handover.isOpen()),
    listen(signal, onAlive) {
      return server.events(
        store.get().session ?? '',
        timeline.last(),
        (event) => {
          onAlive()
          handleEvent(event)
        },
        signal,
      )
    },
    onRejected: forgetSession,
  })
  const handover = makeHandover({ ...context, timeline, setSession, onChange: () => live.update() })
  const { send, retry } = makeSendMessage({
    ...context,
    timeline,
    setSession,
    refresh,
    isWithPerson: handover.isActive,
    onAnswer: (answer) => handover.set(answer.handover.status),
  })

  /** Saves the session and visitor token issued by the server. */
  function setSession({ session_id, visitor_token }: { session_id: string; visitor_token?: string }) {
    store.set({ session: session_id, ...(visitor_token && { token: visitor_token }) })
    live.update()
  }

  function forgetSession() {
    store.set({ session: undefined, token: undefined, last: undefined })
    handover.set('none')
  }

  function handleEvent({ name, data }: ServerEvent) {
    const value = JSON.parse(data)
    if (name === 'handover') handover.set(value.status, value.agent_name)
    if (name === 'seen') show.seen(value.until)
    if (name === 'typing') show.typing(value.agent_name || texts.team)
    // Another tab may have counted this message already.
    const { last, unread = 0 } = store.get()
    if (name !== 'message' || !timeline.receive(value)) return
    show.typing(null)
    if (value.role === 'visitor') return
    if (!isOpen() && last !== value.id) store.set({ unread: unread + 1 })
    emit('reply', { role: value.role, text: value.text })
    if (config.sound && !store.get().muted && (document.hidden || !isOpen())) show.chime()
    reportSeen()
  }

  /** Tells the agent that the visitor has read the messages. */
  function reportSeen() {
    if (handover.isOpen() && isOpen() && !document.hidden)
      server.ask('seen', { session_id: store.get().session }).catch(() => {})
  }

  /** Loads messages not shown yet: the newest ones, or those before an entry. */
  async function refresh(before?: Entry) {
    const { session, token } = store.get()
    if (!session || !token) return
    try {
      const history = await server.history(session, before?.id)
      if (!history.session_id) return forgetSession()
      for (const message of history.messages)
        timeline.receive(message, before ?? (isLoaded ? undefined : timeline.firstUnsent()))
      if (before || !isLoaded) show.earlier(history.has_more)
      store.set({ hasLead: history.has_lead })
      handover.set(history.handover.status, history.handover.agent_name)
      show.seen(history.seen_until)
      reportSeen()
    } catch (error) {
      if (![401, 404].includes(toServerError(error).status)) throw error
      forgetSession()
    }
  }

  /** Loads the history, once. */
  function load(): Promise<void> {
    loading ??= refresh().then(
      () => {
        isLoaded = true
        live.update()
      },
      (error) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }

  for (const text of store.get().unsent ?? []) timeline.add(makeEntry('visitor', text, { state: 'failed' }))

  return {
    send,
    retry,
    load,
    refresh,
    loadEarlier: () => refresh(timeline.first()),
    ask: handover.ask,
    add: timeline.add,
    receive: timeline.receive,
    /** Before the history is loaded there is nothing to be outdated. */
    isCurrent: () => !isLoaded || timeline.isCurrent(),
    /** Whether an agent may reply while the panel is closed. */
    isHandoverOpen: () => isHandoverOpen(store.get().handover),
    /** Call after the panel was opened or closed. */
    onToggle() {
      live.update()
      reportSeen()
    },
    sendTyping: () => handover.isActive() && server.typing(),
    setSession,
    emit,
    async rate(entry: Entry, rating: 'up' | 'down', reason?: string) {
      if (entry.id) await server.feedback({ message_id: entry.id, rating, reason })
      entry.rating = rating
    },
    close() {
      handover.close()
      live.close()
    },
  }
}
