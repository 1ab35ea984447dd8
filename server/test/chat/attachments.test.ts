// Files in a conversation, in both directions: what may be sent, how it is served, and that it is deleted with it.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { chunk, png, SECRET } from '../harness/samples/pictures.ts'
import { startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor } from '../harness/visitors.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const BOT = '/api/manage/v1/bots'

async function withConversation(engine: (typeof engines)[number]) {
  const server = await startServer(engine, {
    environment: { ATTACHMENT_MAX_BYTES: '100000', WIDGET_REQUESTS_PER_MINUTE: '1000', WIDGET_FILES_PER_DAY: '60' },
  })
  const { botId, workspaceId } = await server.createBot({})
  const ada = createVisitor(server.call, botId)
  await ada.say('Hello')
  const token = server.adminToken
  const { body } = await server.call(`GET ${BOT}/{botId}/conversations`, { token, params: { botId } })
  const conversation = body.items[0]
  async function upload(path: string, name: string, content: Uint8Array, headers: Record<string, string>) {
    const form = new FormData()
    form.append('file', new File([Buffer.from(content)], name, { type: 'image/png' }))
    const response = await fetch(server.baseUrl + path, { method: 'POST', headers, body: form })
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
  }
  const send = (name: string, content: Uint8Array, headers = { 'x-visitor-token': ada.token() }) =>
    upload(`/api/chat/${botId}/attachments`, name, content, headers)
  async function sendAsOther(times: number): Promise<number[]> {
    const otherVisitor = createVisitor(server.call, botId)
    await otherVisitor.say('Hello')
    const headers = { 'x-visitor-token': otherVisitor.token() }
    const responses = await Promise.all(Array.from({ length: times }, () => send('a.png', PNG, headers)))
    return responses.map(({ status }) => status)
  }
  const reply = (name: string, content: Uint8Array) =>
    upload(`${BOT}/${botId}/conversations/${conversation.id}/attachments`, name, content, {
      authorization: `Bearer ${token}`,
    })
  const read = (id: string) => fetch(`${server.baseUrl}/api/chat/${botId}/attachments/${id}`)
  return { ...server, botId, workspaceId, ada, token, conversation, upload, send, sendAsOther, reply, read }
}

describe.each(engines)('files in a conversation on %s', (engine) => {
  test('go both ways, are served so that nothing in them can run, and are exported and erased with the conversation', async () => {
    const { call, botId, ada, token, conversation, send, reply, read } = await withConversation(engine)
    const uploadResponse = await send('receipt.html', PNG)
    expect(uploadResponse.status).toBe(201)
    const [message, answer] = uploadResponse.body.messages
    const [file] = message.attachments
    expect(message).toMatchObject({ role: 'visitor', text: 'receipt.html.png' })
    expect(file).toMatchObject({ id: expect.stringMatching(/^att_[0-9a-v]{26}$/), type: 'image/png' })
    expect(answer).toMatchObject({ role: 'bot', rateable: false, buttons: [{ type: 'handover' }] })

    // The file opens the conversation for the team.
    const { body } = await call(`GET ${BOT}/{botId}/conversations`, { token, params: { botId } })
    expect(body.items[0]).toMatchObject({ status: 'open', unread: true })

    const picture = await read(file.id)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^inline/),
      'cross-origin-resource-policy': 'cross-origin',
    })

    const agentReply = await reply('page.html', Buffer.from('<script>alert(1)</script>'))
    expect(agentReply.body).toMatchObject({
      role: 'agent',
      attachments: [{ name: 'page.html.txt', type: 'text/plain' }],
    })
    const text = await read(agentReply.body.attachments[0].id)
    expect(text.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(text.headers.get('content-type')).toBe('application/octet-stream')
    const { messages } = (await ada.history()).body
    expect(messages.at(-1)).toMatchObject({ role: 'agent', attachments: [{ name: 'page.html.txt' }] })
    // An agent has taken over, so the bot does not reply.
    expect((await send('note.txt', Buffer.from('Hello'))).body.messages).toHaveLength(1)

    const one = `${BOT}/{botId}/conversations/{conversationId}/attachments/{attachmentId}`
    const params = { botId, conversationId: conversation.id, attachmentId: file.id }
    expect((await call(`GET ${one}`, { token, params })).status).toBe(200)
    expect((await call(`GET ${one}`, { token, params: { ...params, conversationId: 'cnv_other' } })).status).toBe(404)

    const visitor = { token, params: { botId, visitorId: conversation.visitor.id } }
    const visitorExport = await call(`GET ${BOT}/{botId}/visitors/{visitorId}`, visitor)
    const files: { id: string; content_base64: string }[] = visitorExport.body.conversations[0].attachments
    expect(files).toHaveLength(3)
    expect(files.find(({ id }) => id === file.id)?.content_base64).toBe(PNG.toString('base64'))
    await call(`DELETE ${BOT}/{botId}/visitors/{visitorId}`, visitor)
    expect((await read(file.id)).status).toBe(404)
  })

  test('are refused for their type or size, without a token, above the limit, and where the bot accepts none', async () => {
    const { call, botId, token, send, sendAsOther } = await withConversation(engine)
    expect((await send('picture.png', Buffer.from([0x4d, 0x5a, 0, 0, 1]))).body.error.code).toBe('unsupported_file')
    expect((await send('large.png', Buffer.concat([PNG, Buffer.alloc(100_000)]))).status).toBe(413)
    expect((await send('a.png', PNG, { 'x-visitor-token': 'none' })).status).toBe(401)
    const responses = await Promise.all(Array.from({ length: 21 }, () => send('a.png', PNG)))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1)
    // More conversations do not help: the limit is 60 files per day and network.
    const ofOthers = await Promise.all(Array.from({ length: 3 }, async () => sendAsOther(20)))
    expect(ofOthers.flat().filter((status) => status === 429)).toHaveLength(20)
    await call(`PATCH ${BOT}/{botId}`, { token, params: { botId }, body: { widget: { attachments: false } } })
    expect((await send('a.png', PNG)).status).toBe(404)
    expect((await call('GET /api/chat/{botId}/config', { params: { botId } })).body.attachments).toBe(false)
  })

  test('an avatar is checked by its content, and a visitor can list and rate conversations and leave a name', async () => {
    const { call, botId, workspaceId, baseUrl, ada, token, conversation, upload } = await withConversation(engine)
    const avatars = `${BOT}/${botId}/avatars`
    const authorization = { authorization: `Bearer ${token}` }
    const pictureWithText = png([chunk('tEXt', SECRET)])
    const avatar = await upload(avatars, 'bot.svg', pictureWithText, authorization)
    expect(avatar.body.id).toMatch(/^avt_/)
    for (const bad of [
      Buffer.from('<svg/>'),
      PNG.subarray(0, -1),
      Buffer.concat([PNG.subarray(0, 16), Buffer.alloc(8, 255)]),
    ])
      expect((await upload(avatars, 'bot.png', bad, authorization)).status).toBe(400)
    expect((await upload(avatars, 'bot.png', Buffer.alloc(300_000), authorization)).status).toBe(413)
    const shownToAll = await fetch(`${baseUrl}/api/chat/${botId}/avatars/${avatar.body.id}`)
    expect(Buffer.from(await shownToAll.arrayBuffer())).toEqual(png([]))
    const fields = [{ name: 'company', label: 'Company', type: 'text', required: true }]
    const widget = { avatar: avatar.body.id, pre_chat: { intro: null, fields, consent_text: null } }
    await call(`PATCH ${BOT}/{botId}`, { token, params: { botId }, body: { widget } })

    const headers = { 'x-visitor-token': ada.token() }
    const conversations = await call('GET /api/chat/{botId}/conversations', { params: { botId }, headers })
    expect(conversations.body.items).toMatchObject([
      { session_id: ada.sessionId(), first_question: expect.any(String), last_message: { role: 'bot' } },
    ])
    expect(conversations.body.can_email_transcript).toBe(false)
    const rating = { params: { botId }, headers, body: { stars: 4, reason: 'Quick' } }
    expect((await call('POST /api/chat/{botId}/rating', rating)).status).toBe(204)
    const one = await call(`GET ${BOT}/{botId}/conversations/{conversationId}`, {
      token,
      params: { botId, conversationId: conversation.id },
    })
    expect(one.body.rating).toEqual({ stars: 4, reason: 'Quick' })

    const bob = createVisitor(call, botId)
    expect((await bob.post('lead', { form: 'pre_chat', fields: {} })).status).toBe(400)
    const leadResponse = await bob.post('lead', { form: 'pre_chat', fields: { company: 'Analytical Engines' } })
    expect(leadResponse.body).toMatchObject({ visitor_token: expect.any(String), lead_id: expect.any(String) })

    const grace = await createMember(call, workspaceId, 'agent', 'Grace')
    const asGrace = { authorization: `Bearer ${grace.token}` }
    const team = `/api/manage/v1/workspaces/${workspaceId}`
    expect((await upload(`${team}/avatar`, 'me.png', Buffer.from('<svg/>'), asGrace)).status).toBe(400)
    expect((await upload(`${team}/avatar`, 'me.png', PNG, authorization)).status).toBe(404)
    const face = (await upload(`${team}/avatar`, 'me.png', pictureWithText, asGrace)).body.id
    const ofGrace = { token: grace.token, params: { botId, workspaceId, conversationId: conversation.id } }
    await call(`POST ${BOT}/{botId}/conversations/{conversationId}/messages`, { ...ofGrace, body: { text: 'Hello' } })
    const seen = async () => ({
      byVisitor: (await ada.history()).body.messages.at(-1).agent_avatar,
      asPicture: (await call('GET /api/chat/{botId}/avatars/{avatarId}', { params: { botId, avatarId: face } })).status,
      byTeam: (await call(`GET ${BOT}/{botId}/conversations/{conversationId}`, ofGrace)).body.messages.at(-1)
        .agent_avatar,
      inInbox: (await call('GET /api/manage/v1/workspaces/{workspaceId}/inbox', ofGrace)).body.agents[0].avatar,
    })
    // Visitors see the team only if the bot shows it.
    expect(await seen()).toEqual({ byVisitor: undefined, asPicture: 404, byTeam: face, inInbox: face })
    const options = { token, params: { botId }, body: { widget: { team_avatar: avatar.body.id } } }
    await call(`PATCH ${BOT}/{botId}`, options)
    expect(await seen()).toEqual({ byVisitor: face, asPicture: 200, byTeam: face, inInbox: face })
    const picture = await fetch(`${baseUrl}${team}/avatars/${face}`, { headers: asGrace })
    expect(picture.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(png([]))
    expect((await call('DELETE /api/manage/v1/workspaces/{workspaceId}/avatar', ofGrace)).status).toBe(204)
    expect(await seen()).toEqual({ byVisitor: undefined, asPicture: 404, byTeam: null, inInbox: null })
  })
})
