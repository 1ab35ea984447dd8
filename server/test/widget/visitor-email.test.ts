// Email to visitors: what agents replied while they were away, and the conversation on request.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { queryRows } from '../harness/database/rows.ts'
import { mailText, startMailServer } from '../harness/external/mail-server.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor, openStream, type TestVisitor } from '../harness/visitors.ts'
import { pause, waitFor } from '../harness/wait.ts'

const MINUTE = 60_000
const token = ADMIN_TOKEN

async function start(engine: (typeof engines)[number]) {
  const mail = await startMailServer()
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Docent <docent@example.com>', WIDGET_SESSIONS_PER_HOUR: '100' }
  const server = await startServer(engine, { environment })
  const bot = await server.createBot()
  const params = { botId: bot.botId }
  const set = (body: object) => server.call('PATCH /api/manage/v1/bots/{botId}', { token, params, body })
  await set({ visitor_email: { reply_to: 'team@shop.test' } })
  const conversationOf = async () =>
    (await server.call('GET /api/manage/v1/bots/{botId}/conversations', { token, params })).body.items[0].id as string
  const reply = (conversationId: string, text: string) =>
    server.call('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages', {
      token,
      params: { ...params, conversationId },
      body: { text },
    })
  const isOffered = async (visitor: TestVisitor) => {
    const headers = { 'x-visitor-token': visitor.token() }
    const conversations = await server.call('GET /api/chat/{botId}/conversations', { params, headers })
    return conversations.body.can_email_transcript as boolean
  }
  const transcript = (visitor: TestVisitor, headers = { 'x-visitor-token': visitor.token() }) =>
    server.call('POST /api/chat/{botId}/transcript', { params, headers, body: { session_id: visitor.sessionId() } })
  return {
    ...server,
    mail,
    bot,
    set,
    conversationOf,
    reply,
    transcript,
    isOffered,
    visitor: () => createVisitor(server.call, bot.botId),
  }
}

const lead = { fields: { name: 'Ada', email: 'ada@visitor.test' } }

describe.each(engines)('email to visitors on %s', (engine) => {
  test('a visitor who left an address and closed the page gets the replies as one email; one who is online gets none', async () => {
    const { mail, visitor, conversationOf, reply, clock, baseUrl, bot, database } = await start(engine)
    const ada = visitor()
    await ada.say('hello', { page_url: 'https://evil.test/phishing' })
    await ada.post('lead', lead)
    const conversationId = await conversationOf()
    await reply(conversationId, 'We have it in blue.')
    clock.now += 20_000
    await reply(conversationId, 'And in green.')
    await pause(1100)
    expect(mail.mails).toEqual([])
    clock.now += 2 * MINUTE
    const [transcriptMail] = await mail.waitForMails(1)
    expect(transcriptMail?.to).toEqual(['ada@visitor.test'])
    expect(transcriptMail?.content).toMatch(/^Reply-To: team@shop.test$/m)
    expect(mailText(transcriptMail as never)).toMatch(/We have it in blue\.[\s\S]+And in green\./)
    // Only the company's own site is linked.
    expect(mailText(transcriptMail as never)).toContain('Continue the conversation: https://shop.test')
    expect(mailText(transcriptMail as never)).not.toContain('evil.test')

    const waiting = () => queryRows(database, 'SELECT * FROM visitor_mails')
    const line = await openStream(`${baseUrl}/api/chat/${bot.botId}/events?session_id=${ada.sessionId()}`, {
      'x-visitor-token': ada.token(),
    })
    await reply(conversationId, 'Still there?')
    await line.waitForEvent('message')
    await waitFor(async () => (await waiting()).length === 0, 'the reply to be seen')
    await line.hangUp()
    await reply(conversationId, 'I will write to you.')
    expect(await waiting()).toHaveLength(1)
    await ada.history()
    await waitFor(async () => (await waiting()).length === 0, 'the history to be read')
    expect(mail.mails).toHaveLength(1)
  })

  test('a transcript has the bot’s replies without Markdown, and tables as lines', async () => {
    const { mail, visitor, transcript, set, call, bot } = await start(engine)
    await set({ visitor_email: { transcripts: true } })
    const answer =
      '**By country:**\n\n| | Standard |\n| --- | --- |\n| Norway | 12.90 € |\n\nSee [the page](https://shop.test/p).'
    const body = { question: 'What does shipping cost?', answer }
    await call('POST /api/manage/v1/bots/{botId}/answers', { token, params: { botId: bot.botId }, body })
    const ada = visitor()
    await ada.say('What does shipping cost?')
    await ada.post('lead', lead)
    expect((await transcript(ada)).status).toBe(202)
    const [transcriptMail] = await mail.waitForMails(1)
    const text = mailText(transcriptMail as never)
    expect(text).toContain('By country:\n\nNorway: Standard 12.90 €\n\nSee the page (https://shop.test/p).')
    expect(text).not.toMatch(/[|*]/)
  })

  test('a transcript goes to the visitor’s address, with a limit on how often', async () => {
    const { mail, visitor, transcript, isOffered, set, clock } = await start(engine)
    const ada = visitor()
    await ada.say('hello')
    expect(await isOffered(ada)).toBe(false)
    expect((await transcript(ada)).body.error.code).toBe('no_email_address')
    const reply = await ada.say('My address is ada@visitor.test')
    const button = reply.body.buttons.find(({ id }: { id: string }) => id === 'transcript')
    expect(button).toMatchObject({ type: 'reply', label: 'Email me this conversation' })
    expect(await isOffered(ada)).toBe(true)
    const confirmation = await ada.say(button.value)
    expect(confirmation.body.reply).toBe('We’ll send this conversation to a…@visitor.test.')
    const [transcriptMail] = await mail.waitForMails(1)
    expect(transcriptMail?.to).toEqual(['ada@visitor.test'])
    expect(mailText(transcriptMail as never)).toMatch(/^You:\nhello\n\nTest bot:\n/)

    expect((await transcript(ada)).status).toBe(429)
    expect((await ada.say(button.value)).body.reply).toContain('has already been sent')
    clock.now += 11 * MINUTE
    expect((await transcript(ada)).body).toEqual({ sent_to: 'a…@visitor.test' })
    await mail.waitForMails(2)

    // Somebody else reads nothing, and neither does anybody when it is off.
    const eve = visitor()
    await eve.say('hello')
    expect((await transcript(ada, { 'x-visitor-token': eve.token() })).body.error.code).toBe('session_not_found')
    await set({ visitor_email: { transcripts: false } })
    expect((await transcript(ada)).status).toBe(404)
    expect(await isOffered(ada)).toBe(false)
    expect(mail.mails).toHaveLength(2)
  })

  test('nothing goes to an address that came without the visitor’s token', async () => {
    const { mail, visitor, conversationOf, reply, transcript, call, bot, clock, database } = await start(engine)
    const ada = visitor()
    await ada.say('hello')
    const conversationId = await conversationOf()
    await call('POST /api/chat/{botId}/message', {
      params: { botId: bot.botId },
      body: { session_id: ada.sessionId(), message: 'I am eve@evil.test' },
    })
    expect((await transcript(ada)).body.error.code).toBe('no_email_address')
    await reply(conversationId, 'We have it in blue.')
    clock.now += 2 * MINUTE
    await waitFor(
      async () => (await queryRows(database, 'SELECT * FROM visitor_mails')).length === 0,
      'the mail to be dropped',
    )
    expect(mail.mails).toEqual([])

    // Confirmed by the visitor's own message.
    await ada.post('lead', { fields: { name: 'Ada', email: 'eve@evil.test' } })
    expect((await transcript(ada)).body).toEqual({ sent_to: 'e…@evil.test' })
  })

  test('a transcript is dropped if the address has changed meanwhile, and transcripts per network are limited', async () => {
    const { mail, visitor, transcript, clock, database } = await start(engine)
    const ada = visitor()
    await ada.post('lead', lead)
    await ada.say('hello')
    mail.setRefusesLogins(true)
    await transcript(ada)
    const waiting = () => queryRows(database, 'SELECT * FROM visitor_mails WHERE attempts > 0')
    await waitFor(async () => mail.logins.length > 0 && (await waiting()).length === 1, 'an attempt')
    await ada.post('lead', { fields: { name: 'Ada', email: 'eve@evil.test' } })
    mail.setRefusesLogins(false)
    clock.now += 5 * MINUTE
    await waitFor(async () => (await waiting()).length === 0, 'the transcript to be dropped')
    expect(mail.mails).toEqual([])

    for (let count = 2; count <= 6; count++) {
      const otherVisitor = visitor()
      await otherVisitor.post('lead', { fields: { name: 'Bea', email: `bea${count}@visitor.test` } })
      await otherVisitor.say('hello')
      expect((await transcript(otherVisitor)).status).toBe(count <= 5 ? 202 : 429)
    }
  })
})
