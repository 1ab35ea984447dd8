import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '../src/chat/read-events.ts'

async function read(pieces: Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  await readEvents(body, (event) => events.push(event))
  return events
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('events with and without an id, and comments between them', async () => {
  const stream =
    ': open\n\nevent: start\ndata: {"a":1}\n\n: \n\nid: 7\nevent: message\ndata: {"b":"\\n\\n"}\n\nevent: x\ndata: cut off'
  expect(await read([bytes(stream)])).toEqual([
    { name: 'start', data: '{"a":1}' },
    { name: 'message', data: '{"b":"\\n\\n"}' },
  ])
})

test('any split of any stream gives the same events', async () => {
  const block = fc.constantFrom(
    'event: delta\ndata: {"text":"ä 👩‍🚀"}',
    'id: 1\nevent: message\ndata: {"text":"event: x"}',
    ': ',
    'nonsense',
  )
  const stream = fc.array(block, { maxLength: 15 }).map((blocks) => blocks.map((text) => `${text}\n\n`).join(''))
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 10 }), async (text, cuts) => {
      const whole = bytes(text)
      const places = cuts.map((position) => position % (whole.length + 1)).sort((a, b) => a - b)
      const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length))
      const events = await read(pieces)
      expect(events).toEqual(await read([whole]))
      expect(events).toHaveLength(text.split('data: ').length - 1)
    }),
    { numRuns: 500 },
  )
})
