// Emails to the team, as plain text: each in the language of whoever gets it, in English where that is not known.
import type { TeamLanguage } from '@docent/contract'
import type { Context } from '../context.ts'
import type { Actor } from './audit.ts'
import texts from './mail-texts.json' with { type: 'json' }

interface Mail {
  to: string
  subject: string
  text: string
}

export type SendMail = (mail: Mail) => Promise<void>

type MailLanguage = TeamLanguage | null | undefined

type MailTexts = (typeof texts)['en']
const textsByLanguage: Record<TeamLanguage, MailTexts> = texts

function textsIn(language: MailLanguage): MailTexts {
  // A newer version may know more languages.
  return textsByLanguage[language ?? 'en'] ?? textsByLanguage.en
}

/** What is filled in is not searched for placeholders again. */
function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

function mailOf(to: string, subject: string, paragraphs: string[]): Mail {
  return { to, subject, text: `${paragraphs.join('\n\n')}\n` }
}

export function invitationMail(
  { email, invitedBy }: { email: string; invitedBy: string | null },
  workspaceName: string,
  link: string,
  language: MailLanguage,
): Mail {
  const { invitation: say } = textsIn(language)
  const values = { workspace: oneLine(workspaceName), name: oneLine(invitedBy ?? ''), email: oneLine(email), link }
  const paragraphs = [invitedBy ? say.invitedBy : say.invited, say.accept, say.end]
  return mailOf(
    email,
    fill(say.subject, values),
    paragraphs.map((paragraph) => fill(paragraph, values)),
  )
}

export function resetMail({ email, language }: { email: string; language: MailLanguage }, link: string): Mail {
  const { reset: say } = textsIn(language)
  return mailOf(email, say.subject, [say.why, fill(say.open, { link }), say.end])
}

export function addressMail(to: string, account: { email: string; language: MailLanguage }, link: string): Mail {
  const { address: say } = textsIn(account.language)
  const why = fill(say.why, { email: oneLine(account.email) })
  return mailOf(to, say.subject, [why, fill(say.open, { link }), say.end])
}

export function mentionMail(
  { email, language }: { email: string; language: MailLanguage },
  author: string,
  note: string,
  link: string,
): Mail {
  const { mention: say } = textsIn(language)
  const name = oneLine(author)
  return mailOf(email, fill(say.subject, { name }), [fill(say.note, { name, note }), fill(say.open, { link })])
}

/** A bot, or its workspace, has used up its calls of the day. */
export function modelLimitMail(
  { email, language }: { email: string; language: MailLanguage },
  { bot, limit, of }: { bot: { name: string }; limit: number; of: 'bot' | 'workspace' },
  link: string,
): Mail {
  const { modelLimit: say } = textsIn(language)
  const reached = fill(say[of], { bot: bot.name, limit: String(limit) })
  const next = fill(of === 'bot' ? say.change : say.usage, { link })
  return mailOf(email, fill(say.subject, { bot: oneLine(bot.name) }), [reached, say.until, next])
}

type AlertKind = keyof MailTexts['alerts']

/** The IP address is shown only to the person who acted. */
function alertMail(
  email: string,
  kind: AlertKind,
  { actor, target, ip, at }: { actor: string; target: string; ip: string; at: number },
  language: MailLanguage,
): Mail {
  const { alert: say, alerts } = textsIn(language)
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 16)
  const by = fill(email === actor ? say.byFrom : say.by, { actor: oneLine(actor), ip, when })
  return mailOf(email, say.subject, [fill(alerts[kind], { target: oneLine(target) }), by, say.end])
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

export function makeAlert({ storage: { accounts }, sendMail, clock, onError }: Context): Alert {
  return ({ caller: { actor, accountId }, request: { ip } }, kind, { account, target = account ?? actor } = {}) => {
    if (!sendMail) return
    const receivers = new Set([...(accountId ? [actor] : []), ...(account ? [account] : [])])
    const details = { actor, target, ip, at: clock() }
    for (const email of receivers) send(email).catch(onError)

    async function send(email: string) {
      // An address that was replaced belongs to no account any more.
      const own = (await accounts.findByEmail(email)) ?? (accountId ? await accounts.find(accountId) : undefined)
      await sendMail?.(alertMail(email, kind, details, own?.language))
    }
  }
}
