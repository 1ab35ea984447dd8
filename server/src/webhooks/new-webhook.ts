import { randomId } from '../ids.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'
import { makeWebhookSecret } from './deliveries/sign.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

/** `keyId`: the key whose calls it mirrors, or null for an integration. */
export function newWebhook(botId: string, keyId: string | null, url: string, secrets: WebhookSecrets, now: number) {
  const id = randomId('whk')
  const secret = makeWebhookSecret()
  const record: WebhookRecord = {
    botId,
    id,
    kind: 'webhook',
    keyId,
    url,
    eventTypes: null,
    secret: secrets.seal(id, secret),
    previousSecret: null,
    previousUntil: null,
    failingSince: null,
    failedAt: null,
    disabledAt: null,
    disabledReason: null,
    createdAt: now,
  }
  return { record, secret }
}
