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

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 100)
}
