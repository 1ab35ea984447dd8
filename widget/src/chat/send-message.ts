// Sends one message at a time: each waits for the answer to the previous one.
import type { WidgetReply } from '@docent/contract'
import { type Context, reportError, requestContext } from './context.ts'
import { type Entry, makeEntry } from './entries.ts'
import { ServerError } from './server.ts'
import type { Timeline } from './timeline.ts'

interface Deps extends Context {
  timeline: Timeline
  setSession: (contact: { session_id: string; visitor_token?: string }) => void
  isWithPerson: () => boolean
  onAnswer: (answer: WidgetReply) => void
  /** Loads new messages from the server. */
  refresh: () => Promise<void>
}

const MAX_CHARS = 4000

export function makeSendMessage({ timeline, setSession, isWithPerson, onAnswer, refresh, ...context }: Deps) {
  const { server, emit } = context
  let queue = Promise.resolve()

  function send(text: string) {
    const message = text.trim().slice(0, MAX_CHARS)
    if (!message) return
    const entry = timeline.add(makeEntry('visitor', message, { state: 'sending' }))
    timeline.saveUnsent()
    emit('message', { text: message })
    queue = queue.then(() => deliver(entry))
  }

  function retry(entry: Entry) {
    timeline.update(entry, { state: 'sending', problem: '' })
    queue = queue.then(() => deliver(entry))
  }

  async function deliver(entry: Entry) {
    const reply = makeEntry('bot', '', { state: 'streaming' })
    if (!isWithPerson()) timeline.add(reply)
    timeline.hold()
    try {
      applyReply(entry, reply, await requestReply(entry, reply))
    } catch (error) {
      timeline.remove(reply)
      timeline.update(entry, { state: 'failed' })
      timeline.release()
      // The message may have arrived anyway; then the history has it and its answer.
      await refresh().catch(() => {})
      if (timeline.has(entry)) timeline.update(entry, { problem: reportError(error, context) })
    }
    timeline.release()
    timeline.saveUnsent()
  }

  async function requestReply({ text }: Entry, reply: Entry): Promise<WidgetReply> {
    let answer: WidgetReply | undefined
    const body = { ...requestContext(context), message: text, stream: true }
    await server.message(body, ({ name, data }) => {
      const value = JSON.parse(data)
      if (name === 'error') throw new ServerError(value.status, value.message)
      if (name === 'start') setSession(value)
      if (name === 'delta' && timeline.has(reply)) timeline.update(reply, { text: reply.text + value.text })
      if (name === 'done') answer = value
    })
    if (!answer) throw new ServerError(0)
    return answer
  }

  function applyReply(entry: Entry, reply: Entry, answer: WidgetReply) {
    setSession(answer)
    timeline.update(entry, { id: answer.visitor_message_id, state: 'done', created_at: answer.created_at })
    if (answer.reply || answer.lead_form) {
      const { message_id: id, reply: text, rateable, sources, products, buttons, lead_form: form } = answer
      if (!timeline.has(reply)) timeline.add(reply)
      timeline.update(reply, { id, text, rateable, sources, products, buttons, form, state: 'done' })
      emit('reply', { role: 'bot', text })
    } else timeline.remove(reply)
    onAnswer(answer)
  }

  return { send, retry }
}
