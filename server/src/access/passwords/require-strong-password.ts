import { Fault, PASSWORD_LEAST } from '@docent/contract'
import { commonPasswords } from './common-passwords.ts'

/** `path`: the request field of the new password. */
export function requireStrongPassword(password: string, email: string, path: string) {
  const message = weakness(password.toLowerCase(), email)
  if (message) throw new Fault('validation_failed', { details: [{ path, message }] })
}

function weakness(password: string, email: string): string | null {
  if ([...password].length < PASSWORD_LEAST) return `Use at least ${PASSWORD_LEAST} characters.`
  if (password === email || password === email.split('@')[0]) return 'Do not use your email address as your password.'
  const isOneCharacter = new Set(password).size === 1
  return isOneCharacter || commonPasswords.has(password) ? 'This password is too common. Choose another one.' : null
}
