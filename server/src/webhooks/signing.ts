// Standard Webhooks: HMAC-SHA256 over id, time and body. After a rotation, both secrets sign.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { SealedText } from '../sealed-text.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'

const PREFIX = 'whsec_'

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

export type SigningKey = KeyObject

export function signingKey(secret: string): SigningKey {
  return createSecretKey(secret.slice(PREFIX.length), 'base64')
}

export function signatures(keys: readonly SigningKey[], id: string, timestamp: number, body: Buffer): string {
  const before = `${id}.${timestamp}.`
  return keys.map((key) => `v1,${createHmac('sha256', key).update(before).update(body).digest('base64')}`).join(' ')
}

/** What signs: a webhook or an action. */
type Signed = Pick<WebhookRecord, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>

// Endpoint secrets are encrypted in the database, each bound to its endpoint.

export type WebhookSecrets = ReturnType<typeof makeWebhookSecrets>

export function makeWebhookSecrets(sealedText: SealedText) {
  return {
    seal: (webhookId: string, secret: string) => sealedText.seal(secret, webhookSecretBinding(webhookId)),

    /** The target of a notification channel. */
    openTarget: (channelId: string, target: string) =>
      sealedText.open(target, webhookSecretBinding(channelId)) ?? undefined,

    /** The secrets that sign now, newest first. */
    open({ id, secret, previousSecret, previousUntil }: Signed, now: number): string[] {
      const stillSigning = previousSecret !== null && previousUntil !== null && previousUntil > now
      return [secret, ...(stillSigning ? [previousSecret] : [])].flatMap(
        (text) => sealedText.open(text, webhookSecretBinding(id)) ?? [],
      )
    },
  }
}

export function webhookSecretBinding(webhookId: string): string {
  return `secret of ${webhookId}`
}
