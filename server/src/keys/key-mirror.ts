// The webhook that receives a copy of every call made with a key.

import type { KeyMirror, KeyRecord } from '../storage/keys.ts'
import type { WebhookRecord } from '../storage/webhooks.ts'
import { newWebhook, requireCallableUrl } from '../webhooks/webhooks.ts'
import type { KeyDeps } from './find-key.ts'

export async function newMirror({ urlProblem, secrets, clock }: KeyDeps, { botId, id }: KeyRecord, url: string) {
  await requireCallableUrl(url, 'webhook_url', urlProblem)
  return newWebhook(botId, id, url, secrets, clock())
}

/** Returns the secret when the first URL creates one; changing the URL keeps it. */
export async function setMirror(
  { webhooks, secrets, switchWebhook, onWebhookChanged, clock }: KeyDeps,
  { botId, id, mirror: old }: KeyRecord & KeyMirror,
  url: string | null,
): Promise<string | undefined> {
  if (url === null) {
    if (old) await switchWebhook.remove({ botId, id: old.id })
    if (old) onWebhookChanged(old.id)
    return undefined
  }
  const { record, secret } = newWebhook(botId, id, url, secrets, clock())
  const kept = await webhooks.mirror(record)
  onWebhookChanged(kept.id)
  return kept.id === record.id ? secret : undefined
}

/** The successor keeps the mirror's URL and secret, so that the receiver needs no change. */
export async function inheritMirror(
  { webhooks, secrets, clock }: KeyDeps,
  old: KeyRecord,
  successor: KeyRecord,
): Promise<WebhookRecord | null> {
  const before = await webhooks.findMirror(old.botId, old.id)
  if (!before) return null
  const [secret] = secrets.open(before, clock())
  if (secret === undefined) throw new Error('the secret of a mirror cannot be read with the SECRET_KEY of this node')
  const { record } = newWebhook(old.botId, successor.id, before.url, secrets, clock())
  return { ...record, secret: secrets.seal(record.id, secret) }
}
