// Single-use link tokens. They follow the #, which browsers do not send, so they appear in no log.
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'

export function makeLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashSecret(token) }
}
