// Emails to the team are in the language of whoever gets them.
import { TEAM_LANGUAGES, type TeamLanguage } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import texts from '../../src/access/mail-texts.json' with { type: 'json' }
import { engines } from '../harness/database/databases.ts'
import { mailText, startMailServer } from '../harness/external/mail-server.ts'
import { createWorkspace, invite, joinWorkspace, MANAGE, PASSWORD } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const languages = Object.keys(TEAM_LANGUAGES) as TeamLanguage[]
const ONE = `${MANAGE}/bots/{botId}/conversations/{conversationId}`

test('every language has a file of texts, and no other', () => {
  expect(Object.keys(texts)).toEqual(languages)
})

test.each(languages)('%s lacks no text and no placeholder of the English ones', (language) => {
  expect(lackingIn(texts[language], texts.en)).toEqual([])
  expect(lackingIn(texts.en, texts[language])).toEqual([])
})

test.each(languages.filter((language) => language !== 'en'))('nothing is left in English in %s', (language) => {
  const english = new Set(sentencesOf(texts.en).map(([, text]) => text))
  expect(sentencesOf(texts[language]).filter(([, text]) => english.has(text))).toEqual([])
})

describe.each(engines)('on %s', (engine) => {
  test('everybody gets them in the language in which they last opened the dashboard', async () => {
    const mailServer = await startMailServer()
    const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'Docent <docent@example.com>' }
    const { call, createBot } = await startServer(engine, { environment })
    const { botId, workspaceId } = await createBot({})
    const join = async (name: string, language?: string) => {
      const member = await joinWorkspace(call, workspaceId, 'owner', `${name}@example.test`)
      const headers = language ? { 'accept-language': language } : {}
      const { body } = await member.call(`GET ${MANAGE}/session`, { headers })
      expect(body.account.email).toBe(member.email)
      return member
    }
    const sent = async (to: string, about: string) => {
      const find = () => mailServer.mails.map((mail) => ({ ...mail, text: mailText(mail) })).find(isMeant)
      const isMeant = (mail: { to: string[]; text: string }) => mail.to.includes(to) && mail.text.includes(about)
      await waitFor(() => find() !== undefined, `a mail to ${to} about "${about}"`)
    }
    const ada = await join('ada', 'fr-CA, fr;q=0.9, en;q=0.8')
    const grace = await join('grace', 'sv, pt-BR;q=0.8')
    const kay = await join('kay')

    // Who asks for a new password is not logged in, and need not be the person.
    for (const { email } of [ada, grace, kay]) await call(`POST ${MANAGE}/password-reset/request`, { body: { email } })
    await sent(ada.email, texts.fr.reset.why)
    await sent(grace.email, texts.pt.reset.why)
    await sent(kay.email, texts.en.reset.why)

    // An invitation is in the language of who is invited, or else of who invites.
    await ada.call(`POST ${MANAGE}/workspaces/{workspaceId}/invitations`, {
      params: { workspaceId },
      body: { email: 'new@example.test', role: 'viewer' },
    })
    await sent('new@example.test', 'vous invite à rejoindre')
    const otherWorkspaceId = await createWorkspace(call, 'Other')
    await invite(call, otherWorkspaceId, grace.email, 'viewer')
    await sent(grace.email, 'Recebeu um convite')
    await invite(call, otherWorkspaceId, 'stranger@example.test', 'viewer')
    await sent('stranger@example.test', 'You have been invited')

    // A mention is in the language of who is mentioned, whoever writes the note.
    await createVisitor(call, botId).post('handover')
    const list = await call(`GET ${MANAGE}/bots/{botId}/conversations`, { token: ADMIN_TOKEN, params: { botId } })
    const params = { botId, conversationId: list.body.items[0].id as string }
    const { me } = (await grace.call(`GET ${MANAGE}/workspaces/{workspaceId}/inbox`, { params: { workspaceId } })).body
    const body = { text: 'Please look at {link}.', mentions: [me] }
    expect((await ada.call(`POST ${ONE}/notes`, { params, body })).status).toBe(201)
    await sent(grace.email, 'mencionou você numa nota:\n\nPlease look at {link}.')

    // A security alert, after the language was changed.
    await ada.call(`GET ${MANAGE}/session`, { headers: { 'accept-language': 'it' } })
    const response = await ada.call(`POST ${MANAGE}/account/password`, {
      body: { current_password: PASSWORD, new_password: 'CANARY another giraffe 7' },
    })
    expect(response.status).toBe(204)
    await sent(ada.email, 'La password di ada@example.test è stata cambiata.')
  })
})

/** Paths of texts that the other has and this one lacks, or that have other placeholders. */
function lackingIn(language: object, otherLanguage: object): string[] {
  const ownTexts = new Map(sentencesOf(language))
  const placeholders = (text: string | undefined) =>
    text
      ?.match(/\{\w+\}/g)
      ?.sort()
      .join(' ') ?? ''
  return sentencesOf(otherLanguage)
    .filter(([path, text]) => !ownTexts.has(path) || placeholders(ownTexts.get(path)) !== placeholders(text))
    .map(([path]) => path)
}

function sentencesOf(part: object, path = ''): [path: string, text: string][] {
  return Object.entries(part).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : sentencesOf(value, `${path}${name}.`),
  )
}
