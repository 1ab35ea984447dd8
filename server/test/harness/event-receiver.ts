// A webhook receiver that records which messages it received, under which event ids, and how often.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EventReceiver {
  url: string
  /** Message id → ids of the events about it. */
  mirrored: Map<string, Set<string>>
  reported: Map<string, Set<string>>
  deliveries: () => number
  close: () => void
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const mirroredEvents = new Map<string, Set<string>>()
  const reportedEvents = new Map<string, Set<string>>()
  let deliveries = 0
  const note = (map: Map<string, Set<string>>, messageId: string, eventId: string) =>
    map.set(messageId, (map.get(messageId) ?? new Set()).add(eventId))

  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const eventId = String(request.headers['webhook-id'])
      const event = JSON.parse(text)
      if (event.id !== eventId) throw new Error('header and body name different events')
      if (event.event_type === 'chat.mirrored') note(mirroredEvents, event.response.body.message_id, eventId)
      if (event.event_type === 'conversation.message') note(reportedEvents, event.data.message.id, eventId)
      deliveries++
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    mirrored: mirroredEvents,
    reported: reportedEvents,
    deliveries: () => deliveries,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
