// Handover between bot and agents: none → requested → active → closed.
import type { HandoverStatus } from '@docent/contract'
import { type Context, callContext, problemOf } from './context.ts'
import { newEntry } from './entries.ts'
import type { Timeline } from './timeline.ts'

interface Deps extends Context {
  timeline: Timeline
  meet: (contact: { session_id: string; visitor_token?: string }) => void
  onChange: () => void
}

/** Whether an agent was requested or has joined. */
export const isAwaited = (status: HandoverStatus | undefined) => status === 'requested' || status === 'active'

export function openHandover({ timeline, meet, onChange, ...context }: Deps) {
  const { server, store, config, words, show, emit } = context
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
    if (before === 'active' && !isAwaited(status))
      timeline.add(newEntry('note', words.returned, { stars: config.chat_rating }))
    if (before !== next) emit('handover', { status: next, agent_name: agentName })
    onChange()
  }

  function offerForm() {
    if (isOffered || store.get().hasLead || !config.lead_form) return
    isOffered = true
    timeline.add(newEntry('bot', words.unavailable, { form: config.lead_form }))
  }

  return {
    set,
    isOpen: () => isAwaited(status),
    isActive: () => status === 'active',
    async ask(action: 'request' | 'end') {
      try {
        const answer = await server.handover({ ...callContext(store), action })
        meet(answer)
        if (action === 'request' && answer.reply)
          timeline.add(newEntry('bot', answer.reply, { form: answer.lead_form }))
        set(answer.handover.status)
      } catch (error) {
        timeline.add(newEntry('note', problemOf(error, context)))
      }
    },
    close: () => clearTimeout(waiting),
  }
}
