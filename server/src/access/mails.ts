// Emails people about security-relevant changes to their accounts.
import type { Actor } from './audit.ts'

// The emails we send, as plain text.
interface Mail {
  to: string
  subject: string
  text: string
}

export type SendMail = (mail: Mail) => Promise<void>

export function invitationMail(
  { email, invitedBy }: { email: string; invitedBy: string | null },
  workspaceName: string,
  link: string,
): Mail {
  const name = oneLine(workspaceName)
  const invites = invitedBy ? `${oneLine(invitedBy)} has invited you` : 'You have been invited'
  return {
    to: email,
    subject: `Join ${name} on Docent`,
    text: `${invites} to join the workspace "${name}" on Docent. You will log in as ${oneLine(email)}.\n\nAccept the invitation:\n${link}\n\nThe link is valid for 7 days. If you did not expect this invitation, you can ignore this email.\n`,
  }
}

export function resetMail(account: { email: string }, link: string): Mail {
  return {
    to: account.email,
    subject: 'Reset your Docent password',
    text: `We received a request to reset the password of your Docent account.\n\nSet a new password:\n${link}\n\nThe link is valid for one hour. If you did not request this, you can ignore this email. Your password stays the same.\n`,
  }
}

export function addressMail(email: string, account: { email: string }, link: string): Mail {
  return {
    to: email,
    subject: 'Confirm your new address for Docent',
    text: `The person who logs in to Docent as ${oneLine(account.email)} wants to use this address instead.\n\nIf that is you, confirm it in the browser you are logged in with:\n${link}\n\nThe link is valid for one hour. If it is not you, ignore this email: nothing changes without the link.\n`,
  }
}

const alerts = {
  email_changed:
    'The email address of a Docent account was changed to {target}. Its other sessions, its management tokens and its link to single sign-on were ended.',
  password_changed: 'The password of {target} was changed.',
  password_reset:
    'The password of {target} was reset with a link. All sessions of that account were ended. If the link came by email, two-factor authentication and single sign-on were ended, too.',
  sso_linked:
    '{target} now logs in with single sign-on. Its password, two-factor authentication, sessions and management tokens were ended.',
  sso_unlinked: '{target} no longer logs in with single sign-on. Its other sessions were ended.',
  reset_link_made: 'A password reset link was created for {target}.',
  two_factor_enabled: 'Two-factor authentication was turned on for {target}.',
  two_factor_disabled: 'Two-factor authentication was turned off for {target}.',
  recovery_codes_renewed: 'New recovery codes were created for {target}.',
  token_created: 'A management token was created: {target}.',
  owner_made: '{target} was made an owner of your workspace.',
  owner_invited: '{target} was invited as an owner of your workspace.',
} as const

type AlertKind = keyof typeof alerts

/** The IP address is shown only to the person who acted. */
function alertMail(
  email: string,
  kind: AlertKind,
  { actor, target, ip, at }: { actor: string; target: string; ip: string; at: number },
): Mail {
  const what = alerts[kind].replace('{target}', () => oneLine(target))
  const from = email === actor ? ` from IP address ${ip}` : ''
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 16)
  return {
    to: email,
    subject: 'Security alert for your Docent account',
    text: `${what}\n\nDone by ${oneLine(actor)}${from} on ${when} UTC.\n\nIf you do not recognise this, change your password and contact an owner of your workspace.\n`,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 100)
}

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

export function makeAlert({ sendMail, clock, onError }: Deps): Alert {
  return ({ caller: { actor, accountId }, request: { ip } }, kind, { account, target = account ?? actor } = {}) => {
    if (!sendMail) return
    const receivers = new Set([...(accountId ? [actor] : []), ...(account ? [account] : [])])
    for (const email of receivers) {
      sendMail(alertMail(email, kind, { actor, target, ip, at: clock() })).catch(onError)
    }
  }
}
