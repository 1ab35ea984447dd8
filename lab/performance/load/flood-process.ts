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
let [sent, admitted, refused] = [0, 0, 0]

// It would run on another machine, so it takes only the CPU time the server and visitors leave.
setPriority(19)
const begun = performance.now()
setInterval(() => {
  const due = ((performance.now() - begun) * Number(perSecond)) / 1000
  for (; sent < due; sent++) send()
}, 1)

function send() {
  const call = request(address, { agent, method: 'POST', headers }, (answer) => {
    answer.resume()
    if (answer.statusCode === 429) refused++
    else admitted++
  })
  call.on('error', () => {})
  call.end(body)
}

process.on('message', () => process.send?.({ admitted, refused }, () => process.exit()))
process.on('disconnect', () => process.exit())
