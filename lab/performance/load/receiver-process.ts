// A webhook endpoint in its own process: responds at once, or never at /hang, and reports each event's latency from its
// timestamp to receipt.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let receivedCount = 0
let latencies: number[] = []

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    if (request.url?.startsWith('/hang')) return
    receivedCount++
    const sentAt = /"timestamp":"([^"]+)"/.exec(text)?.[1]
    if (sentAt) latencies.push(Date.now() - Date.parse(sentAt))
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('message', () => {
  process.send?.({ received: receivedCount, latencies })
  receivedCount = 0
  latencies = []
})
process.on('disconnect', () => process.exit())
