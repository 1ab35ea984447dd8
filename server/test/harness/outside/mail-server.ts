// An SMTP server on loopback that takes every mail and keeps it.

import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { waitFor } from './receiver.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and text, as they came, with plain line ends. */
  content: string
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** What was sent to log in. */
  logIns: string[]
  /** Whether to let nobody in from now on. */
  refuse(refuses: boolean): void
  until(count: number): Promise<ReceivedMail[]>
}

export async function startMailServer(begins = { refuses: false }): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const logIns: string[] = []
  let { refuses } = begins
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      logIns.push(`${username} ${password}`)
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
    logIns,
    refuse: (now) => {
      refuses = now
    },
    async until(count) {
      await waitFor(() => mails.length >= count, `${count} mails, not ${mails.length}`)
      return mails
    },
  }
}

/** The text of a mail, as it was before it was encoded for the way. */
export function textOf({ content }: ReceivedMail): string {
  const body = content.slice(content.indexOf('\n\n') + 2)
  if (/^content-transfer-encoding: base64/im.test(content)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return /^content-transfer-encoding: quoted/im.test(content) ? Buffer.from(bytes, 'latin1').toString('utf8') : body
}

/** The link in a mail. */
export function linkIn(mail: ReceivedMail): string {
  return /https:\/\/docent\.test\/\S+/.exec(textOf(mail))?.[0] ?? ''
}
