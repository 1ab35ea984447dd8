// Messages crafted to slow down a regular expression or a search must not block the server for everybody. Measured in
// CPU time, which other load hardly affects; with cubic growth it would be minutes.
import { expect, test } from 'vitest'
import { contactDetails } from '../../src/answers/understand/contact-details.ts'
import { measureCpuMs } from '../harness/event-loop.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createSyncKey, syncProducts } from '../harness/tenants.ts'
import { expectBelow } from '../harness/timing.ts'

const LONGEST = 10_000
const MAX_CPU_MS = 500
const fragments = [
  ...[
    ' ',
    'a',
    'a ',
    'aA',
    '1',
    '1 ',
    '1.',
    '1,',
    '-',
    '.',
    '(',
    '(0',
    '0 ',
    '00',
    '٣',
    '订',
    '\n',
    '\t ',
    "l'",
    '€---',
  ],
  ...['@a', 'a@', 'a@a.', 'a@a-', 'a-', 'http://a.', '://', '%', '<', '[a](', '*', '_', '`', '? ', '?', '!', ', '],
  ...['order ', 'order number is ', '+43 664 1234567 ', 'call me ', 'tel ', 'no no ', '# ', ': '],
  ...[
    'under 5 ',
    'between 1 and ',
    'size m ',
    'red ',
    'or ',
    'cheapest ',
    'how long ',
    'and what about ',
    'Wanderschuhe',
  ],
]
const ends = ['', 'x +43 664 1234567', ' 0664 1234567', ' under 80 €?']

test('a message of any repeated fragment is answered in time, with contacts, products and pages to search', async () => {
  const { call, createBot } = await startServer('sqlite')
  const text = 'Returns are free within 30 days. Call us about an order number before you send anything back.'
  const { botId, key } = await createBot({ documents: [{ id: 'returns', title: 'Returns', text }] })
  const products = [
    { id: '1', title: 'Red hiking boots', price: '80 EUR', attributes: { colour: 'red', size: 'M' } },
    { id: '2', title: 'Rain jacket', price: '120 EUR' },
  ]
  await syncProducts(call, await createSyncKey(call, botId, ADMIN_TOKEN), { products })
  for (const [index, fragment] of fragments.entries()) {
    const start = ['order', 'tel', 'a'][index % 3] ?? ''
    const end = ends[(index + 1) % ends.length] ?? ''
    await expectBelow(MAX_CPU_MS, async (attempt) => {
      const message = (start + fragment.repeat(LONGEST)).slice(0, LONGEST - attempt - end.length) + end
      const cpuMs = await measureCpuMs(async () => {
        const answer = await call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message } })
        contactDetails(message, 'AT')
        expect(answer.status).toBe(200)
      })
      return { [`${start}${fragment}…${end}`]: cpuMs }
    })
  }
})
