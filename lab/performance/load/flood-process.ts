// The flooding client, in its own process: a steady stream of messages to one bot, until the parent asks for the results.
// `fork(…, [url, requests per second])`
import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'

const [address = '', perSecond = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 10 })
const body = JSON.stringify({ message: 'Hello' })
const headers = {
  'content-type': 'application/json',
  'content-length': body.length,
  // Distinct from the measured visitors.
  'x-forwarded-for': '203.0.113.9',
}
let [sentCount, admittedCount, refusedCount] = [0, 0, 0]

// It would run on another machine, so it takes only the CPU time the server and visitors leave.
setPriority(19)
const startedAt = performance.now()
setInterval(() => {
  const due = ((performance.now() - startedAt) * Number(perSecond)) / 1000
  for (; sentCount < due; sentCount++) send()
}, 1)

function send() {
  const call = request(address, { agent, method: 'POST', headers }, (response) => {
    response.resume()
    if (response.statusCode === 429) refusedCount++
    else admittedCount++
  })
  call.on('error', () => {})
  call.end(body)
}

process.on('message', () => process.send?.({ admitted: admittedCount, refused: refusedCount }, () => process.exit()))
process.on('disconnect', () => process.exit())
