// Baseline for refusals: a Node HTTP server that always responds 429 and reports its CPU time to the parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const body = JSON.stringify({ error: { code: 'rate_limited', message: 'Too many requests.', request_id: 'req_0' } })
const headers = { 'content-type': 'application/json', 'content-length': body.length, 'retry-after': '60' }
const server = createServer((_request, response) => response.writeHead(429, headers).end(body))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit())
