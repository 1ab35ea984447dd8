// The baseline: Fastify alone with the same bodies. Prints its port.
import fastify from 'fastify'

const server = fastify()
server.post('/api/v1/chat', async (request) => request.body)
server.get('/metrics', async () => {
  const { user, system } = process.cpuUsage()
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`
})
await server.listen({ host: '127.0.0.1', port: 0 })
const address = server.server.address()
console.log(typeof address === 'object' && address ? address.port : '')
process.on('SIGTERM', () => process.exit(0))
