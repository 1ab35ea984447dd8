// An SMTP server on loopback that takes every mail and keeps it.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { waitFor } from './receiver.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and text, as they came. */
  content: string
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** What was sent to log in, decoded. */
  logIns: string[]
  until(count: number): Promise<ReceivedMail[]>
}

export async function startMailServer({ refuses = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const logIns: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let rest = ''
    let mail: ReceivedMail = { from: '', to: [], content: '' }
    let inData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 loopback ready')

    function hear(line: string) {
      if (inData) {
        inData = line !== '.'
        if (inData) mail.content += `${line}\n`
        else mails.push(mail)
        return inData || say('250 taken')
      }
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') return socket.write('250-loopback\r\n250 AUTH PLAIN\r\n')
      if (verb === 'AUTH') {
        logIns.push(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString('utf8'))
        return say(refuses ? '535 no' : '235 in')
      }
      if (verb === 'MAIL') mail = { from: addressIn(line), to: [], content: '' }
      if (verb === 'RCPT') mail.to.push(addressIn(line))
      inData = verb === 'DATA'
      if (verb === 'QUIT') return socket.end('221 bye\r\n')
      return say(inData ? '354 go on' : '250 fine')
    }

    socket.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `smtp://docent:SMTP-CANARY-5a@127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    logIns,
    async until(count) {
      await waitFor(() => mails.length >= count, `${count} mails, not ${mails.length}`)
      return mails
    },
  }
}

/** The link in a mail, put together again where the mail's lines broke it. */
export function linkIn({ content }: ReceivedMail): string {
  const text = content.replaceAll('=\n', '').replaceAll('=3D', '=')
  return /https:\/\/docent\.test\/\S+/.exec(text)?.[0] ?? ''
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
