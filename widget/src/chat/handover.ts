// Handover between bot and agents: none → requested → active → closed.
import type { HandoverStatus, VisitorMessage } from '@docent/contract'
import { type Context, reportError, requestContext } from './context.ts'
import { makeEntry } from './entries.ts'
import type { Timeline } from './timeline.ts'

interface Deps extends Context {
  timeline: Timeline
  setSession: (contact: { session_id: string; visitor_token?: string }) => void
  onChange: () => void
}

/** Whether an agent was requested or has joined. */
export const isHandoverOpen = (status: HandoverStatus | undefined) => status === 'requested' || status === 'active'

export function makeHandover({ timeline, setSession, onChange, ...context }: Deps) {
  const { server, store, config, show, emit } = context
  let status: HandoverStatus = 'none'
  let waiting: ReturnType<typeof setTimeout> | undefined
  let isOffered = false
  let agentName: string | null = null

  function set(next: HandoverStatus, name: string | null = null) {
    const before = status
    // Not every response has the agent's name.
    agentName = name ?? (next === status ? agentName : null)
    status = next
    show.handover(next, agentName)
    clearTimeout(waiting)
    const askedAt = next === 'requested' ? (store.get().askedAt ?? Date.now()) : undefined
    if (askedAt) waiting = setTimeout(offerForm, askedAt + config.handover.wait_seconds * 1000 - Date.now())
    store.set({ handover: next, askedAt })
    if (before === 'active' && !isHandoverOpen(status))
      timeline.add(makeEntry('note', '', { note: 'returned', stars: config.chat_rating }))
    if (before !== next) emit('handover', { status: next, agent_name: agentName })
    onChange()
  }

  function offerForm() {
    if (isOffered || store.get().hasLead || !config.lead_form) return
    isOffered = true
    // Nobody, for as long as they wait: the bar would contradict the note.
    agentName = ''
    show.handover(status, agentName)
    timeline.add(makeEntry('bot', '', { form: config.lead_form, note: 'unavailable' }))
  }

  return {
    set,
    isOpen: () => isHandoverOpen(status),
    isActive: () => status === 'active',
    async ask(action: 'request' | 'end') {
      try {
        const response = await server.handover({ ...requestContext(context), action })
        setSession(response)
        // A question before the handover is a message, which may have arrived already.
        if (action === 'request' && response.reply)
          timeline.receive(
            makeEntry('bot', response.reply, {
              ...response,
              form: response.lead_form,
              id: response.message_id,
            }) as VisitorMessage,
          )
        set(response.handover.status)
      } catch (error) {
        timeline.add(makeEntry('note', reportError(error, context)))
      }
    },
    close: () => clearTimeout(waiting),
  }
}
