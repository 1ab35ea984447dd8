// Answers the order-status action of a bot: checks that Docent asks, then looks the order up.
//
//   ACTION_SECRET=whsec_… node_modules/.bin/node examples/order-status/server.ts
//
// While a secret is being replaced, give both, separated by a comma.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const secrets = (process.env.ACTION_SECRET ?? '').split(',').filter((secret) => secret !== '')
const TOLERANCE_SECONDS = 300

/** Ask your shop system here. */
const orders = new Map([
  ['10421', { status: 'on its way', arrives: '2026-11-20' }],
  ['10422', { status: 'being packed', arrives: '2026-11-23' }],
])

const server = createServer((request, response) => {
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  // A GET has no body. For other methods, read the body first and sign it as it came.
  if (!isSigned(request.headers, '')) return answer(401, { error: 'not signed' })
  const number = /^\/orders\/(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
  const order = orders.get(number)
  console.log(`order ${number}: ${order?.status ?? 'unknown'}`)
  return order ? answer(200, order) : answer(404, { error: 'unknown order' })
})

server.listen(Number(process.env.PORT ?? 9001), () => {
  const address = server.address()
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`)
})

/** As for webhooks: HMAC-SHA256 of id, time and body (Standard Webhooks). */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - timestamp) < TOLERANCE_SECONDS)) return false
  const given = String(headers['webhook-signature'])
    .split(' ')
    .map((one) => Buffer.from(one))
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const expected = Buffer.from(`v1,${signature}`)
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  })
}
