// Who is available, what visitors are offered then, and who gets their conversations.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { joinWorkspace } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor } from '../harness/visitors.ts'

const WORKSPACE = '/api/manage/v1/workspaces/{workspaceId}'
const AVAILABILITY = `${WORKSPACE}/availability`
const HOUR = 3_600_000
const token = ADMIN_TOKEN

async function withTeam(engine: Engine) {
  const server = await startServer(engine, { environment: { WIDGET_SESSIONS_PER_HOUR: '1000' } })
  const { call } = server
  const { botId, workspaceId } = await server.createBot({})
  const params = { workspaceId }
  const join = async (role: 'agent' | 'viewer', email: string) => {
    const member = await joinWorkspace(call, workspaceId, role, email)
    const { body } = await member.call(`GET ${WORKSPACE}/inbox`, { params })
    const set = (availability: object) =>
      member.call(`PUT ${AVAILABILITY}`, { params, body: { status: 'online', hours: null, ...availability } })
    return { ...member, id: body.me as string, set }
  }
  const ada = await join('agent', 'ada@example.test')
  const grace = await join('agent', 'grace@example.test')
  const setHandover = async (handover: object) => {
    const response = await call('PATCH /api/manage/v1/bots/{botId}', { token, params: { botId }, body: { handover } })
    expect(response.status, response.text).toBe(200)
  }
  /** What a visitor is told: by the widget's settings, the button, and in words. */
  const offered = async () => {
    const config = await call('GET /api/chat/{botId}/config', { params: { botId } })
    const byButton = (await createVisitor(call, botId).post('handover')).body
    const inWords = (await createVisitor(call, botId).say('I want to talk to a human, please')).body
    return {
      open: config.body.handover.open,
      statuses: [byButton.handover.status, inWords.handover.status],
      forms: [byButton.lead_form !== null, inWords.lead_form !== null],
    }
  }
  const list = async () => (await call(`GET ${WORKSPACE}/conversations`, { token, params })).body.items
  return { ...server, botId, workspaceId, params, join, ada, grace, setHandover, offered, list }
}

const yes = { open: true, statuses: ['requested', 'requested'], forms: [false, false] }
const no = { open: false, statuses: ['none', 'none'], forms: [true, true] }

describe.each(engines)('availability on %s', (engine) => {
  test('visitors are offered a person while somebody is online, and the contact form otherwise', async () => {
    const { ada, grace, params, offered } = await withTeam(engine)
    expect((await ada.call(`GET ${AVAILABILITY}`, { params })).body).toEqual({ status: 'online', hours: null })
    expect(await offered()).toEqual(yes)
    expect((await ada.set({ status: 'away' })).body).toEqual({ status: 'away', hours: null })
    expect(await offered()).toEqual(yes)
    await grace.set({ status: 'away' })
    expect(await offered()).toEqual(no)
    const { agents } = (await ada.call(`GET ${WORKSPACE}/inbox`, { params })).body
    expect(agents.map(({ available }: { available: boolean }) => available)).toEqual([false, false])
    await ada.set({ status: 'online' })
    expect(await offered()).toEqual(yes)
  })

  test('working hours count in the member’s time zone, beside the hours of the bot', async () => {
    const { ada, grace, clock, offered, setHandover } = await withTeam(engine)
    // Sunday, 12:00 UTC: 13:00 in Vienna.
    clock.now = Date.UTC(2026, 10, 15, 12)
    const vienna = { timezone: 'Europe/Vienna', open: [{ days: ['sun'], from: '13:00', to: '17:00' }] }
    await grace.set({ status: 'away' })
    await ada.set({ hours: vienna })
    expect(await offered()).toEqual(yes)
    clock.now += 4 * HOUR
    expect(await offered()).toEqual(no)
    clock.now -= 5 * HOUR
    expect(await offered()).toEqual(no)
    clock.now += HOUR
    await setHandover({ hours: { timezone: 'UTC', open: [{ days: ['mon'], from: '09:00', to: '17:00' }] } })
    expect(await offered()).toEqual(no)
    const wrong = await ada.set({ hours: { ...vienna, timezone: 'Mars/Olympus' } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.error.details[0].path).toBe('hours.timezone')
  })

  test('only the team of a bot counts for it; a team that has left is everyone', async () => {
    const { call, ada, grace, offered, setHandover, workspaceId, clock } = await withTeam(engine)
    await setHandover({ team: [ada.id] })
    await ada.set({ status: 'away' })
    expect(await offered()).toEqual(no)
    await setHandover({ team: [ada.id, grace.id] })
    expect(await offered()).toEqual(yes)
    await setHandover({ team: [ada.id] })
    await call(`DELETE ${WORKSPACE}/members/{memberId}`, { token, params: { workspaceId, memberId: ada.id } })
    // Cached for a moment.
    clock.now += 5000
    expect(await offered()).toEqual(yes)
  })

  test('a request is assigned to the available member of the team with the fewest open conversations', async () => {
    const { call, botId, ada, grace, join, setHandover, list, clock } = await withTeam(engine)
    const victor = await join('viewer', 'victor@example.test')
    const request = async (inWords: boolean) => {
      clock.now += 1000
      const visitor = createVisitor(call, botId)
      await (inWords ? visitor.say('I want to talk to a human, please') : visitor.post('handover'))
      const [{ id, assignee }] = await list()
      return { id: id as string, assignee: assignee?.id as string | undefined }
    }
    // Off unless it is turned on.
    expect((await request(true)).assignee).toBeUndefined()
    await setHandover({ auto_assign: true })
    const first = await request(true)
    const second = await request(false)
    expect([first.assignee, second.assignee].toSorted()).toEqual([ada.id, grace.id].toSorted())
    await grace.set({ status: 'away' })
    expect((await request(true)).assignee).toBe(ada.id)
    expect((await request(false)).assignee).toBe(ada.id)
    await grace.set({ status: 'online' })
    expect((await request(true)).assignee).toBe(grace.id)
    await setHandover({ team: [ada.id, victor.id] })
    const last = await request(false)
    expect(last.assignee).toBe(ada.id)
    const details = await ada.call('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
      params: { botId, conversationId: last.id },
    })
    expect(details.body.changes).toMatchObject([
      { kind: 'requested', by: null },
      { kind: 'assigned', by: null, value: 'agent' },
    ])
    expect(details.body.handover.status).toBe('requested')
  })

  test('a member without an account is never available, but can be assigned by hand', async () => {
    const { call, botId, workspaceId, params, ada, grace, offered, setHandover, list } = await withTeam(engine)
    const robot = await createMember(call, workspaceId, 'agent', 'robot')
    await setHandover({ auto_assign: true, team: [robot.memberId, ada.id] })
    await createVisitor(call, botId).post('handover')
    const [{ id: conversationId, assignee }] = await list()
    expect(assignee.id).toBe(ada.id)
    const { agents } = (await ada.call(`GET ${WORKSPACE}/inbox`, { params })).body
    const available = agents.map((agent: { id: string; available: boolean }) => [agent.id, agent.available])
    expect(Object.fromEntries(available)).toEqual({ [ada.id]: true, [grace.id]: true, [robot.memberId]: false })
    const response = await call('PATCH /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
      token,
      params: { botId, conversationId },
      body: { assignee_id: robot.memberId },
    })
    expect(response.status).toBe(200)
    await ada.set({ status: 'away' })
    await grace.set({ status: 'away' })
    expect(await offered()).toEqual(no)
  })

  test('a team of programs gets the requests within office hours, whoever else is there', async () => {
    const { call, botId, workspaceId, ada, grace, offered, setHandover, list, clock } = await withTeam(engine)
    const robot = await createMember(call, workspaceId, 'agent', 'robot')
    // Sunday, 12:00 UTC.
    clock.now = Date.UTC(2026, 10, 15, 12)
    const hours = { timezone: 'UTC', open: [{ days: ['sun'], from: '09:00', to: '17:00' }] }
    await setHandover({ auto_assign: true, team: [robot.memberId], hours })
    await createVisitor(call, botId).post('handover')
    expect(await list()).toMatchObject([{ assignee: null, handover: { status: 'requested' } }])
    await ada.set({ status: 'away' })
    await grace.set({ status: 'away' })
    clock.now += 5000
    expect(await offered()).toEqual(yes)
    clock.now += 6 * HOUR
    expect(await offered()).toEqual(no)
  })

  test('changes only what is sent, so that an old tab undoes nothing', async () => {
    const { ada, params } = await withTeam(engine)
    const put = async (body: object) => (await ada.call(`PUT ${AVAILABILITY}`, { params, body })).body
    const hours = { timezone: 'Europe/Vienna', open: [{ days: ['mon'], from: '09:00', to: '17:00' }] }
    expect(await put({ hours })).toEqual({ status: 'online', hours })
    expect(await put({ status: 'away' })).toEqual({ status: 'away', hours })
    expect(await put({ hours: null })).toEqual({ status: 'away', hours: null })
    expect(await put({})).toEqual({ status: 'away', hours: null })
    expect((await ada.call(`GET ${AVAILABILITY}`, { params })).body).toEqual({ status: 'away', hours: null })
  })

  test('a request goes to somebody else when its assignee is away, and stays where it is otherwise', async () => {
    const { call, botId, ada, grace, setHandover, list } = await withTeam(engine)
    await setHandover({ auto_assign: true })
    await grace.set({ status: 'away' })
    const visitor = createVisitor(call, botId)
    const requestAgain = async () => {
      await visitor.post('handover', { action: 'end' })
      await visitor.post('handover')
      return (await list())[0].assignee.id
    }
    await visitor.post('handover')
    await grace.set({ status: 'online' })
    expect(await requestAgain()).toBe(ada.id)
    await ada.set({ status: 'away' })
    expect(await requestAgain()).toBe(grace.id)
  })

  test('members with equally many conversations take turns, and requests at once are shared out', async () => {
    const { call, botId, ada, grace, setHandover, list } = await withTeam(engine)
    await setHandover({ auto_assign: true })
    await Promise.all(Array.from({ length: 4 }, () => createVisitor(call, botId).post('handover')))
    const assignees = async () => (await list()).map(({ assignee }: { assignee: { id: string } }) => assignee.id)
    const expectedIds = [ada.id, ada.id, grace.id, grace.id].toSorted()
    expect((await assignees()).toSorted()).toEqual(expectedIds)
    const first = new Set<string>()
    // At random: that one of them is always first, is as good as impossible.
    for (let round = 0; round < 40 && first.size < 2; round++) {
      for (const { id } of await list())
        await call('DELETE /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
          token,
          params: { botId, conversationId: id },
        })
      await createVisitor(call, botId).post('handover')
      for (const id of await assignees()) first.add(id)
    }
    expect(first.size).toBe(2)
  })

  test('is read at most every five seconds, however many messages visitors write', async () => {
    const { call, botId, ada, grace, offered, clock, workspaceId } = await withTeam(engine)
    await ada.set({ status: 'away' })
    expect(await offered()).toEqual(yes)
    await call(`DELETE ${WORKSPACE}/members/{memberId}`, { token, params: { workspaceId, memberId: grace.id } })
    const isOpen = async () => (await call('GET /api/chat/{botId}/config', { params: { botId } })).body.handover.open
    expect(await isOpen()).toBe(true)
    clock.now += 5000
    expect(await isOpen()).toBe(false)
  })

  test('is set by members who may take conversations, for themselves', async () => {
    const { call, join, params } = await withTeam(engine)
    const victor = await join('viewer', 'victor@example.test')
    expect((await victor.set({ status: 'away' })).status).toBe(403)
    // The instance owner's token is no member.
    const body = { status: 'away', hours: null }
    expect((await call(`PUT ${AVAILABILITY}`, { token, params, body })).status).toBe(404)
    expect((await call(`PUT ${AVAILABILITY}`, { token, params, body: { status: 'gone', hours: null } })).status).toBe(
      400,
    )
  })
})
