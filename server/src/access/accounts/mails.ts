// The e-mails we send, as plain text.
export interface Mail {
  to: string
  subject: string
  text: string
}

export type SendMail = (mail: Mail) => Promise<void>

export function invitationMail(email: string, workspaceName: string, link: string): Mail {
  return {
    to: email,
    subject: `You are invited to ${oneLine(workspaceName)}`,
    text: `You are invited to the workspace "${oneLine(workspaceName)}" on Docent.\n\nJoin here, within seven days:\n${link}\n\nIf you did not expect this, leave it be.\n`,
  }
}

export function resetMail(account: { email: string }, link: string): Mail {
  return {
    to: account.email,
    subject: 'Set a new password',
    text: `Somebody asked for a new password for your Docent account.\n\nSet it here, within an hour:\n${link}\n\nIf it was not you, leave it be: your password stays as it is.\n`,
  }
}

const alerts = {
  email_changed: 'The e-mail address of a Docent account was changed to {target}.',
  password_changed: 'The password of {target} was changed.',
  password_reset: 'A new password was set for {target} with a reset link. All sessions of that account have ended.',
  reset_link_made: 'A link was made with which a new password can be set for {target}.',
  two_factor_enabled: 'Two-factor log-in was switched on for {target}.',
  two_factor_disabled: 'Two-factor log-in was switched off for {target}.',
  recovery_codes_renewed: 'New recovery codes were made for {target}.',
  token_created: 'A management token was made: {target}.',
  owner_made: '{target} was made an owner of your workspace.',
  owner_invited: '{target} was invited as an owner of your workspace.',
} as const

export type AlertKind = keyof typeof alerts

/** The address is shown only to the person who did it. */
export function alertMail(
  email: string,
  kind: AlertKind,
  { actor, target, ip, at }: { actor: string; target: string; ip: string; at: number },
): Mail {
  const what = alerts[kind].replace('{target}', () => oneLine(target))
  const from = email === actor ? ` from the address ${ip}` : ''
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 16)
  return {
    to: email,
    subject: 'Security notice for your Docent account',
    text: `${what}\n\nBy ${oneLine(actor)}${from}, ${when} UTC.\n\nIf you did not expect this, set a new password and tell the owners of your workspace.\n`,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 100)
}
