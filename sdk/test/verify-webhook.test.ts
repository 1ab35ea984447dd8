// What a receiver relies on: only what Docent signed, unchanged and fresh, is taken.
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts'

// The example of the Standard Webhooks specification.
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

function delivery(change: Partial<typeof vector> = {}, more: { secret?: string | string[]; now?: number } = {}) {
  const { id, timestamp, body, signature, secret } = { ...vector, ...change }
  return verifyWebhook({
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
    secret,
    now: vector.timestamp * 1000,
    ...more,
  })
}

const otherSecret = `whsec_${Buffer.from('another secret of some length').toString('base64')}`

test("the specification's example is accepted", async () => {
  expect(await delivery()).toEqual({ test: 2432232314 })
})

test('any changed byte of body, id, time or signature is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('body' as const, 'id' as const, 'signature' as const),
      fc.nat(),
      fc.integer({ min: 1, max: 94 }),
      async (field, position, shift) => {
        const text = vector[field]
        const at = field === 'signature' ? 3 + (position % (text.length - 4)) : position % text.length
        const otherLetter = String.fromCharCode(33 + ((text.charCodeAt(at) - 33 + shift) % 94))
        fc.pre(otherLetter !== text[at] && sameBits(field, text, at, otherLetter))
        const forgery = text.slice(0, at) + otherLetter + text.slice(at + 1)
        await expect(delivery({ [field]: forgery })).rejects.toThrow(WebhookVerificationError)
      },
    ),
  )
  await expect(delivery({ timestamp: vector.timestamp + 1 })).rejects.toThrow('No signature fits')

  /** The last letter of base64 has bits that stand for nothing; a change of those changes nothing. */
  function sameBits(field: string, text: string, at: number, letter: string) {
    if (field !== 'signature') return true
    const forgery = text.slice(3, at) + letter + text.slice(at + 1)
    return !Buffer.from(forgery, 'base64').equals(Buffer.from(text.slice(3), 'base64'))
  }
})

test('of several signatures and several secrets, one pair is enough', async () => {
  const otherSignature = new Webhook(otherSecret).sign(vector.id, new Date(vector.timestamp * 1000), vector.body)
  expect(await delivery({ signature: `${otherSignature} ${vector.signature}` })).toBeTruthy()
  expect(await delivery({}, { secret: [otherSecret, vector.secret] })).toBeTruthy()
  await expect(delivery({}, { secret: [otherSecret] })).rejects.toThrow('No signature fits')
})

test.each([-301, 301])('one that is %d seconds off is refused', async (seconds) => {
  const now = (vector.timestamp + seconds) * 1000
  await expect(delivery({}, { now })).rejects.toThrow('too far from now')
})

test.each([
  ['no headers', {}, vector.secret],
  [
    'a time that is none',
    { 'webhook-id': 'a', 'webhook-timestamp': 'soon', 'webhook-signature': 'v1,aa' },
    vector.secret,
  ],
  ['a secret that is none', undefined, 'secret'],
  ['an empty secret', undefined, 'whsec_'],
  ['a signature that is no base64', { ...headers(), 'webhook-signature': 'v1,***' }, vector.secret],
  [
    'another version of signatures',
    { ...headers(), 'webhook-signature': vector.signature.replace('v1', 'v2') },
    vector.secret,
  ],
])('%s is refused', async (_, badHeaders, secret) => {
  const call = verifyWebhook({
    body: vector.body,
    headers: badHeaders ?? headers(),
    secret,
    now: vector.timestamp * 1000,
  })
  await expect(call).rejects.toThrow(WebhookVerificationError)
})

function headers(): Record<string, string> {
  return {
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestamp),
    'webhook-signature': vector.signature,
  }
}

test('headers may come as an object of fetch, in any case', async () => {
  const { body, secret } = vector
  const now = vector.timestamp * 1000
  expect(await verifyWebhook({ body, secret, now, headers: new Headers(headers()) })).toBeTruthy()
  const upper = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]))
  expect(await verifyWebhook({ body, secret, now, headers: upper })).toBeTruthy()
})
