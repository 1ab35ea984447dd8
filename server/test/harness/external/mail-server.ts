// An SMTP server on loopback that accepts and keeps every mail.

import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { waitFor } from '../wait.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Raw headers and text, with LF line ends. */
  content: string
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** The credentials of each login, as "name password". */
  logins: string[]
  /** Whether to refuse all logins from now on. */
  setRefusesLogins(refuses: boolean): void
  waitForMails(count: number): Promise<ReceivedMail[]>
}

export async function startMailServer(initialState = { refuses: false }): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const logins: string[] = []
  let { refuses } = initialState
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logins.push(`${username} ${password}`)
      if (refuses) done(new Error('no'))
      else done(null, { user: username ?? '' })
    },
    onData(stream, { envelope }, done) {
      text(stream).then((content) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          content: content.replaceAll('\r\n', '\n'),
        })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  return {
    url: `smtp://docent:SMTP-CANARY-5a@127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    logins,
    setRefusesLogins: (now) => {
      refuses = now
    },
    async waitForMails(count) {
      await waitFor(() => mails.length >= count, `${count} mails, not ${mails.length}`)
      return mails
    },
  }
}

/** The decoded text of a mail. */
export function mailText({ content }: ReceivedMail): string {
  const body = content.slice(content.indexOf('\n\n') + 2)
  if (/^content-transfer-encoding: base64/im.test(content)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return /^content-transfer-encoding: quoted/im.test(content) ? Buffer.from(bytes, 'latin1').toString('utf8') : body
}

/** The link in a mail. */
export function mailLink(mail: ReceivedMail): string {
  return /https:\/\/docent\.test\/\S+/.exec(mailText(mail))?.[0] ?? ''
}
