// What a site does on its server to say who its visitor is.
import { createHmac } from 'node:crypto'
import type { Call } from '../harness/call.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

export const IDENTITY_KEYS = '/api/manage/v1/bots/{botId}/identity-keys'

export interface TestIdentityKey {
  id: string
  key: string
}

export async function createIdentityKey(call: Call, botId: string): Promise<TestIdentityKey> {
  const response = await call(`POST ${IDENTITY_KEYS}`, { token: ADMIN_TOKEN, params: { botId } })
  return response.body
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function hmac(key: string, text: string) {
  return createHmac('sha256', key).update(text)
}

/** `header` replaces parts of the usual one; undefined removes them. */
export function signToken({ id, key }: TestIdentityKey, claims: object, header: object = {}): string {
  const signedPart = `${encode({ alg: 'HS256', typ: 'JWT', kid: id, ...header })}.${encode(claims)}`
  return `${signedPart}.${hmac(key, signedPart).digest('base64url')}`
}
