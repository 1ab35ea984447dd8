// Opens actions: what bots can do in other systems.
import type { Context } from '../context.ts'
import { demoOrderNumber, withDemoApi } from '../demo/orders.ts'
import { makeWebhookSecret, makeWebhookSecrets } from '../webhooks/signing.ts'
import { makeOpenAuth } from './actions.ts'
import { forModel, makeActionsOf } from './dialogue.ts'
import { makeHandoverQuestions } from './handover-questions.ts'
import { makeRunAction } from './run.ts'

export type Actions = ReturnType<typeof openActions>

export function openActions({ storage, outbound, sealed, config, clock }: Context) {
  const { actions, actionRuns } = storage
  const secrets = makeWebhookSecrets(sealed)
  const openAuth = makeOpenAuth(sealed)
  const fetch = config.demo ? withDemoApi(outbound.fetch, config.baseUrl) : outbound.fetch
  const runAction = makeRunAction({ fetch, secrets, openAuth, timeoutMs: config.actionTimeoutMs, clock })
  const handoverQuestions = makeHandoverQuestions(clock)
  return {
    secrets,
    makeActionSecret: (actionId: string) => secrets.seal(actionId, makeWebhookSecret()),
    /** Why a URL may not be called, or null. */
    urlProblem: async (url: string) =>
      config.demo && demoOrderNumber(url, config.baseUrl) !== null ? null : outbound.urlProblem(url),
    runAction,
    handoverQuestions,
    forModel,
    actionsOf: makeActionsOf({ actions, actionRuns, runAction, handoverQuestions, clock }),
  }
}
