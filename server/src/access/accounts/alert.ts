// Emails people about security-relevant changes to their accounts.
import type { Actor } from '../audit.ts'
import { type AlertKind, alertMail, type SendMail } from './mails.ts'

/** `accountId` is set for a logged-in person. */
type Person = Actor & { caller: { accountId?: string } }

/**
 * Emails the actor, if a person, and the affected account, if another. Not awaited.
 * `target` defaults to the affected account's address.
 */
export type Alert = (by: Person, kind: AlertKind, about?: { account?: string | null; target?: string }) => void

interface Deps {
  /** Null: email is not configured. */
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
