// Standard Webhooks: HMAC-SHA256 over id, time and body. After a rotation both secrets sign, a signature each.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export function makeWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64')
}

export function signatures(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.`, body)}`).join(' ')
}

function sign(secret: string, head: string, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(head).update(body).digest('base64')
}
