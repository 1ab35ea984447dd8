// E-mails people about security-relevant changes to their accounts.
import type { Actor } from '../audit.ts'
import { type AlertKind, alertMail, type SendMail } from './mails.ts'

/** With the account, for a logged-in person. */
type Person = Actor & { caller: { accountId?: string } }

/**
 * To whoever did it, if a person, and to the account that it was done to, if another. Not waited for. `target` is that
 * account's address unless something else is said.
 */
export type Alert = (by: Person, kind: AlertKind, about?: { account?: string | null; target?: string }) => void

interface Deps {
  /** Null: the server cannot send any. */
  sendMail: SendMail | null
  clock: () => number
  onError: (error: unknown) => void
}

export function createAlert({ sendMail, clock, onError }: Deps): Alert {
  return ({ caller: { actor, accountId }, request: { ip } }, kind, { account, target = account ?? actor } = {}) => {
    if (!sendMail) return
    const receivers = new Set([...(accountId ? [actor] : []), ...(account ? [account] : [])])
    for (const email of receivers) {
      sendMail(alertMail(email, kind, { actor, target, ip, at: clock() })).catch(onError)
    }
  }
}
