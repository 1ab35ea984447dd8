// Endpoint secrets are encrypted in the database, each bound to its endpoint.
import type { SealedText } from '../../sealed-text.ts'
import type { WebhookRecord } from '../../storage/webhooks/webhooks.ts'

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

export function createWebhookSecrets(sealed: SealedText) {
  return {
    seal: (webhookId: string, secret: string) => sealed.seal(secret, webhookSecretPlace(webhookId)),

    /** The target of a notification channel. */
    openTarget: (channelId: string, target: string) => sealed.open(target, webhookSecretPlace(channelId)) ?? undefined,

    /** The secrets that sign now, newest first. */
    open({ id, secret, previousSecret, previousUntil }: WebhookRecord, now: number): string[] {
      const stillSigning = previousSecret !== null && previousUntil !== null && previousUntil > now
      return [secret, ...(stillSigning ? [previousSecret] : [])].flatMap(
        (text) => sealed.open(text, webhookSecretPlace(id)) ?? [],
      )
    },
  }
}

export function webhookSecretPlace(webhookId: string): string {
  return `secret of ${webhookId}`
}
