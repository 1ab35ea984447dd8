// Endpoint secrets are encrypted in the database, each bound to its endpoint.
import type { SealedText } from '../sealed-text.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

export function createWebhookSecrets(sealed: SealedText) {
  return {
    seal: (webhookId: string, secret: string) => sealed.seal(secret, webhookSecretBinding(webhookId)),

    /** The target of a notification channel. */
    openTarget: (channelId: string, target: string) =>
      sealed.open(target, webhookSecretBinding(channelId)) ?? undefined,

    /** The secrets that sign now, newest first. */
    open({ id, secret, previousSecret, previousUntil }: WebhookRecord, now: number): string[] {
      const stillSigning = previousSecret !== null && previousUntil !== null && previousUntil > now
      return [secret, ...(stillSigning ? [previousSecret] : [])].flatMap(
        (text) => sealed.open(text, webhookSecretBinding(id)) ?? [],
      )
    },
  }
}

export function webhookSecretBinding(webhookId: string): string {
  return `secret of ${webhookId}`
}
