// Notes that mention members: who is told, where, and until when.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { mailLink, mailText, startMailServer } from '../harness/external/mail-server.ts'
import { joinWorkspace } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createVisitor } from '../harness/visitors.ts'
import { waitFor } from '../harness/wait.ts'

const WORKSPACE = '/api/manage/v1/workspaces/{workspaceId}'
const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'

type Member = Awaited<ReturnType<typeof joinWorkspace>>

async function withTeam(engine: Engine, environment: Record<string, string> = {}) {
  const server = await startServer(engine, { environment })
  const { call } = server
  const { botId, workspaceId } = await server.createBot({})
  const join = async (role: 'agent' | 'viewer', email: string) => {
    const member = await joinWorkspace(call, workspaceId, role, email)
    const { body } = await member.call(`GET ${WORKSPACE}/inbox`, { params: { workspaceId } })
    return { ...member, id: body.me as string }
  }
  const ada = await join('agent', 'ada@example.test')
  const grace = await join('agent', 'grace@example.test')
  const victor = await join('viewer', 'victor@example.test')
  await createVisitor(call, botId).say('Where is my parcel?')
  await createVisitor(call, botId).say('Where is my invoice?')
  const { body } = await call('GET /api/manage/v1/bots/{botId}/conversations', {
    token: ADMIN_TOKEN,
    params: { botId },
  })
  const params = { botId, conversationId: body.items[0].id as string }
  const note = (by: Member, text: string, mentions?: string[]) =>
    by.call(`POST ${ONE}/notes`, { params, body: { text, ...(mentions ? { mentions } : {}) } })
  const unreadOf = async (by: Member) =>
    (await by.call(`GET ${WORKSPACE}/inbox`, { params: { workspaceId } })).body.unread_mentions
  const listed = async (by: Member, mentions: 'all' | 'unread') => {
    const response = await by.call(`GET ${WORKSPACE}/conversations`, { params: { workspaceId }, query: { mentions } })
    return response.body.items.map(({ id, mention }: { id: string; mention: string }) => [id, mention])
  }
  return { ...server, botId, workspaceId, params, ada, grace, victor, note, unreadOf, listed }
}

describe.each(engines)('mentions in notes on %s', (engine) => {
  test('are unread for who is mentioned until they read the conversation', async () => {
    const { params, ada, grace, victor, note, unreadOf, listed, clock } = await withTeam(engine)
    const { status, body } = await note(ada, 'Can you look, @agent and @viewer?', [grace.id, victor.id])
    expect(status).toBe(201)
    expect(body.mentions.map(({ id }: { id: string }) => id).toSorted()).toEqual([grace.id, victor.id].toSorted())
    const { conversationId } = params
    expect(await unreadOf(grace)).toBe(1)
    expect(await unreadOf(victor)).toBe(1)
    expect(await unreadOf(ada)).toBe(0)
    expect(await listed(grace, 'unread')).toEqual([[conversationId, 'unread']])
    expect(await listed(ada, 'all')).toEqual([])

    // Read up to before the note: it stays unread.
    const read = (until?: number) =>
      grace.call(`POST ${ONE}/read`, { params, body: until ? { until: new Date(until).toISOString() } : {} })
    expect((await read(clock.now - 1000)).status).toBe(204)
    expect(await unreadOf(grace)).toBe(1)
    await read()
    expect(await unreadOf(grace)).toBe(0)
    expect(await listed(grace, 'unread')).toEqual([])
    expect(await listed(grace, 'all')).toEqual([[conversationId, 'read']])
    expect(await unreadOf(victor)).toBe(1)
    const details = await grace.call(`GET ${ONE}`, { params })
    expect(details.body.notes[0].mentions).toHaveLength(2)
    expect(details.body.mention).toBe('read')

    clock.now += 1000
    await note(ada, 'Again', [grace.id])
    expect(await listed(grace, 'unread')).toEqual([[conversationId, 'unread']])
  })

  test('name members of the workspace only, and need the right to write notes', async () => {
    const { call, ada, grace, victor, note, unreadOf, params } = await withTeam(engine)
    const otherWorkspace = await call('POST /api/manage/v1/workspaces', { token: ADMIN_TOKEN, body: { name: 'Other' } })
    const stranger = await joinWorkspace(call, otherWorkspace.body.id, 'agent', 'eve@example.test')
    const inbox = await stranger.call(`GET ${WORKSPACE}/inbox`, { params: { workspaceId: otherWorkspace.body.id } })
    for (const wrong of [inbox.body.me, 'mem_unknown', 'instance_owner']) {
      const response = await note(ada, 'Hello', [grace.id, wrong])
      expect(response.status).toBe(400)
      expect(response.body.error.details[0].path).toBe('mentions')
    }
    expect((await note(victor, 'Hello', [grace.id])).status).toBe(403)
    expect((await note(stranger, 'Hello', [grace.id])).status).toBe(404)
    expect(await unreadOf(grace)).toBe(0)
    expect((await ada.call(`GET ${ONE}`, { params })).body.notes).toEqual([])
    // Who mentions themselves has read it.
    expect((await note(ada, 'For myself', [ada.id])).status).toBe(201)
    expect(await unreadOf(ada)).toBe(0)
  })

  test('are mailed to who is mentioned, with a link, and to nobody else', async () => {
    const { url, mails } = await startMailServer()
    const environment = { SMTP_URL: url, MAIL_FROM: 'Docent <docent@example.com>' }
    const { ada, grace, note, params } = await withTeam(engine, environment)
    const sent = () => mails.filter(({ content }) => content.includes('mentioned you'))
    await note(ada, 'Nobody is mentioned here.')
    await note(ada, 'Is this a refund?\nPlease look.', [grace.id, ada.id])
    await waitFor(() => sent().length > 0, 'the mail about the mention')
    const [mail, ...others] = sent()
    if (!mail) throw new Error('No mail was sent.')
    expect(others).toEqual([])
    expect(mail.to).toEqual(['grace@example.test'])
    expect(mailText(mail)).toContain('Is this a refund?')
    expect(mailLink(mail)).toBe(`https://docent.test/inbox/${params.botId}/${params.conversationId}`)
  })

  test('are mailed within a limit per author; the notes are saved beyond it', async () => {
    const { url, mails } = await startMailServer()
    const environment = { SMTP_URL: url, MAIL_FROM: 'Docent <docent@example.com>' }
    const { ada, grace, note } = await withTeam(engine, environment)
    const sent = (to: string) =>
      mails.filter((mail) => mail.to.includes(to) && mail.content.includes('mentioned you')).length
    for (let count = 0; count < 61; count++) expect((await note(ada, 'Look', [grace.id])).status).toBe(201)
    // Others have a limit of their own.
    await note(grace, 'Look', [ada.id])
    await waitFor(() => sent('grace@example.test') >= 60 && sent('ada@example.test') > 0, 'the mails')
    expect(sent('grace@example.test')).toBe(60)
  })

  test('end with the conversation and with the membership', async () => {
    const { call, ada, grace, victor, note, unreadOf, params, workspaceId } = await withTeam(engine)
    await note(ada, 'Look', [grace.id, victor.id])
    const token = ADMIN_TOKEN
    const response = await call(`DELETE ${WORKSPACE}/members/{memberId}`, {
      token,
      params: { workspaceId, memberId: victor.id },
    })
    expect(response.status, response.text).toBe(204)
    const { notes } = (await grace.call(`GET ${ONE}`, { params })).body
    expect(notes[0].mentions.map(({ id }: { id: string }) => id)).toEqual([grace.id])
    expect((await call(`DELETE ${ONE}`, { token, params })).status).toBe(204)
    expect(await unreadOf(grace)).toBe(0)
  })
})
