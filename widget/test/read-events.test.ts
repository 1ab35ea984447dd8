import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '../src/read-events.ts'

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

test('events, comments, several lines of data and every kind of line break', async () => {
  const stream =
    ': hello\n\nevent: start\ndata: {"a":1}\n\r\nid: 7\r\ndata: one\r\ndata:two\r\n\r\nevent: x\rdata\r\rdata: cut off'
  expect(await read([bytes(stream)])).toEqual([
    { name: 'start', data: '{"a":1}' },
    { name: 'message', data: 'one\ntwo' },
    { name: 'x', data: '' },
  ])
})

test('any split of any stream gives the same events', async () => {
  const line = fc.constantFrom(
    'event: delta',
    'data: {"text":"ä 👩‍🚀"}',
    'data: x',
    'data:',
    ': ',
    'id: 1',
    '',
    '',
    'nonsense',
  )
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
    .map((lines) => lines.map((parts) => parts.join('')).join(''))
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 10 }), async (text, cuts) => {
      const whole = bytes(`${text}\n`)
      const places = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b)
      const pieces = [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length))
      expect(await read(pieces)).toEqual(await read([whole]))
    }),
    { numRuns: 500 },
  )
})
