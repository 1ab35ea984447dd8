// What bots can do in other systems.
import type { Audit } from '../../access/audit.ts'
import type { FindBot } from '../../access/managers.ts'
import type { CountWithin } from '../../access/rate-limits.ts'
import { makeOpenAuth } from '../../actions/actions.ts'
import { makeRunAction } from '../../actions/run.ts'
import type { Context } from '../../context.ts'
import { actionRoutes } from '../../http/actions.ts'
import type { Route } from '../../http/server/route.ts'
import { makeWebhookSecrets } from '../../webhooks/signing.ts'

interface RouteDeps {
  findBot: FindBot
  audit: Audit
  countWithin: CountWithin
  onChanged: (botId: string) => void
}

export function createActionsPart(context: Context) {
  const { storage, outbound, sealed, config, clock } = context
  const { actions, actionRuns } = storage
  const secrets = makeWebhookSecrets(sealed)
  const runAction = makeRunAction({
    ...{ fetch: outbound.fetch, secrets, openAuth: makeOpenAuth(sealed), timeoutMs: config.actionTimeoutMs, clock },
  })

  return {
    routes: (route: Route, deps: RouteDeps) =>
      actionRoutes(route, {
        ...{ ...deps, actions, actionRuns, secrets, sealed, runAction, clock },
        urlProblem: outbound.urlProblem,
      }),
  }
}
