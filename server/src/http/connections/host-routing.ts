// The widget may have its own host: each host then serves its own routes and answers 404 for the other's.
import { Fault } from '@docent/contract'
import type { FastifyInstance } from 'fastify'

const onBoth = /^\/(livez|readyz)$/
const ofWidget = /^\/(api\/chat\/|api\/v1\/chat\/sync-products$|widget\.js$|widget\/|chat\/|sources\/)/

export function routeHosts(server: FastifyInstance, baseUrl: string, widgetBaseUrl: string) {
  const [host, widgetHost] = [new URL(baseUrl).host, new URL(widgetBaseUrl).host]
  if (host === widgetHost) return
  server.addHook('onRequest', async (request) => {
    const path = request.url.split('?')[0] ?? ''
    // Any other name is internal, such as a health check.
    const asked = request.host.toLowerCase()
    if ((asked !== host && asked !== widgetHost) || onBoth.test(path)) return
    if (ofWidget.test(path) !== (asked === widgetHost)) throw new Fault('not_found')
  })
}
