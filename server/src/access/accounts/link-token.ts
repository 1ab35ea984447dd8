// What follows the # of a link that may be used once: browsers do not send it, so it is in nobody's log.
import { randomBytes } from 'node:crypto'
import { hashSecret } from '../secrets.ts'

export function makeLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashSecret(token) }
}
