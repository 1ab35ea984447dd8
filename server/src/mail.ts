// Sends email through the operator's SMTP server. The library loads on first use.
import { randomUUID } from 'node:crypto'

export interface OutgoingMail {
  /** One address, or several. */
  to: string | string[]
  replyTo?: string
  subject: string
  text: string
  /** Names the message: stable across retries, so that receivers can drop duplicates. */
  id?: string
}

interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…:465`. */
  url: string
  /** A plain address or `Name <address>`. */
  from: string
  /** The instance's own, for the ids of messages. */
  domain: string
}

export type SendMail = (mail: OutgoingMail) => Promise<void>

interface Mailer {
  send: SendMail
  /** Waits for mails being sent. */
  close(): Promise<void>
}

const TIMEOUT_MS = 10_000

/** As an object: in a string, a comma would make two recipients of one. */
function addressOf(address: string) {
  return { name: '', address }
}

export function openMailer({ url, from, domain }: MailSettings): Mailer {
  const underWay = new Set<Promise<unknown>>()

  async function send({ to, replyTo, subject, text, id = randomUUID() }: OutgoingMail) {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        from,
        subject,
        text,
        to: [to].flat().map(addressOf),
        ...(replyTo ? { replyTo: addressOf(replyTo) } : {}),
        messageId: `<${id}@${domain}>`,
        // No out-of-office replies to it (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      // The library's own error may contain the SMTP password.
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      throw new Error(`The email was not sent: ${[code, responseCode].filter(Boolean).join(' ') || 'unknown reason'}.`)
    } finally {
      transport.close()
    }
  }

  return {
    async send(mail) {
      const sending = send(mail)
      underWay.add(sending)
      await sending.finally(() => underWay.delete(sending))
    },
    close: async () => void (await Promise.allSettled(underWay)),
  }
}
