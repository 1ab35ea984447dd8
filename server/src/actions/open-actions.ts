// Opens actions: what bots can do in other systems.
import type { Context } from '../context.ts'
import { makeWebhookSecrets } from '../webhooks/signing.ts'
import { makeOpenAuth } from './actions.ts'
import { makeActionsOf } from './dialogue.ts'
import { makeRunAction } from './run.ts'

export type Actions = ReturnType<typeof openActions>

export function openActions({ storage, outbound, sealed, config, clock }: Context) {
  const { actions, actionRuns } = storage
  const secrets = makeWebhookSecrets(sealed)
  const openAuth = makeOpenAuth(sealed)
  const { fetch } = outbound
  const runAction = makeRunAction({ fetch, secrets, openAuth, timeoutMs: config.actionTimeoutMs, clock })
  return { secrets, runAction, actionsOf: makeActionsOf({ actions, actionRuns, runAction, clock }) }
}
