// Opens actions: what bots can do in other systems.
import type { Context } from '../context.ts'
import { makeWebhookSecrets } from '../webhooks/signing.ts'
import { makeOpenAuth } from './actions.ts'
import { makeRunAction } from './run.ts'

export type Actions = ReturnType<typeof openActions>

export function openActions({ outbound, sealed, config, clock }: Context) {
  const secrets = makeWebhookSecrets(sealed)
  const openAuth = makeOpenAuth(sealed)
  return {
    secrets,
    runAction: makeRunAction({ fetch: outbound.fetch, secrets, openAuth, timeoutMs: config.actionTimeoutMs, clock }),
  }
}
