// Sends e-mail through the operator's SMTP server. The library is loaded by the first one.
export interface OutgoingMail {
  /** One address, or several. */
  to: string | string[]
  replyTo?: string
  subject: string
  text: string
  /** The same when it is sent again, so that receivers can tell. */
  messageId?: string
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
  /** Waits for what is being sent. */
  close(): Promise<void>
}

const TIMEOUT_MS = 10_000

/** As an object: in a text, a comma would make two receivers of one. */
function addressed(address: string) {
  return { name: '', address }
}

/** `url` is `smtp://user:password@host:587` or `smtps://…:465`; `from` a plain address or `Name <address>`. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const underWay = new Set<Promise<unknown>>()

  async function send({ to, replyTo, subject, text, messageId }: OutgoingMail) {
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
        ...{ from, subject, text },
        to: [to].flat().map(addressed),
        ...(replyTo ? { replyTo: addressed(replyTo) } : {}),
        ...(messageId ? { messageId } : {}),
      })
    } catch (error) {
      // The library's own error may tell the password it logged in with.
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
