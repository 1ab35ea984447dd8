// The widget may have a host of its own: each of the two then serves its part, and what is asked on the wrong one is not
// there.
import { Fault } from '@docent/contract'
import type { FastifyInstance } from 'fastify'

const onBoth = /^\/(livez|readyz)$/
const ofWidget = /^\/(api\/chat\/|api\/v1\/chat\/sync-products$|widget\.js$|widget\/|chat\/)/

export function routeHosts(server: FastifyInstance, baseUrl: string, widgetBaseUrl: string) {
  const [host, widgetHost] = [new URL(baseUrl).host, new URL(widgetBaseUrl).host]
  if (host === widgetHost) return
  server.addHook('onRequest', async (request) => {
    const path = request.url.split('?')[0] ?? ''
    // Any other name is a machine's own: a health check, or somebody inside.
    const asked = request.host.toLowerCase()
    if ((asked !== host && asked !== widgetHost) || onBoth.test(path)) return
    if (ofWidget.test(path) !== (asked === widgetHost)) throw new Fault('not_found')
  })
}
