// Standard Webhooks: HMAC-SHA256 over id, time and body. After a rotation both secrets sign, a signature each.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

export type SigningKey = KeyObject

export function signingKey(secret: string): SigningKey {
  return createSecretKey(secret.slice(PREFIX.length), 'base64')
}

export function signatures(keys: readonly SigningKey[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ')
}
