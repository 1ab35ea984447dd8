import type { FastifyInstance } from 'fastify'

export function docsPage(server: FastifyInstance, document: object) {
  server.get('/openapi.json', async () => document)
}
