// Standard Webhooks: HMAC-SHA256 over id, time and body. After a rotation, both secrets sign.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

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
