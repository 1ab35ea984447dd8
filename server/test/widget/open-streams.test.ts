// An inbox stream stays open for hours: it ends as soon as its user loses access.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { createWorkspace, joinWorkspace, logIn, MANAGE, openBrowser, PASSWORD } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor, openStream } from '../harness/visitors.ts'

const MEMBER = `${MANAGE}/workspaces/{workspaceId}/members/{memberId}`
const token = ADMIN_TOKEN

async function withTwoPeople(server: TestServer) {
  const { call, baseUrl } = server
  const workspaceId = await createWorkspace(call)
  const bot = await call(`POST ${MANAGE}/bots`, { token, body: { name: 'Helper', workspace_id: workspaceId } })
  const botId = bot.body.id as string
  const person = await joinWorkspace(call, workspaceId, 'agent')
  const otherMember = await joinWorkspace(call, workspaceId, 'viewer')
  const members = await call(`GET ${MANAGE}/workspaces/{workspaceId}/members`, { token, params: { workspaceId } })
  const member = members.body.items.find(({ email }: { email: string }) => email === person.email)
  const open = (headers: Record<string, string>, at = baseUrl) =>
    openStream(`${at}${MANAGE}/bots/${botId}/events`, headers)
  return {
    workspaceId,
    botId,
    params: { workspaceId, memberId: member.id as string },
    person,
    other: otherMember,
    open,
  }
}

type Scene = Awaited<ReturnType<typeof withTwoPeople>> & Pick<TestServer, 'call'>

const ways: [what: string, take: (scene: Scene) => Promise<unknown>][] = [
  ['the membership is removed', ({ call, params }) => call(`DELETE ${MEMBER}`, { token, params })],
  ['the session is logged out', ({ person }) => person.call(`DELETE ${MANAGE}/session`)],
  ['the session is ended from elsewhere', endFromElsewhere],
  ['the password is reset', resetPassword],
  [
    'the second factor is switched off by an owner',
    ({ call, params }) => call(`DELETE ${MEMBER}/two-factor`, { token, params }),
  ],
]

async function endFromElsewhere({ call, person }: Scene) {
  const response = await logIn(call, person.email)
  const otherBrowser = openBrowser(call, response.headers['set-cookie']?.split(';')[0])
  const { body } = await otherBrowser.call(`GET ${MANAGE}/account/sessions`)
  const { id } = body.items.find(({ current }: { current: boolean }) => !current)
  await otherBrowser.call(`DELETE ${MANAGE}/account/sessions/{sessionId}`, { params: { sessionId: id } })
}

async function resetPassword({ call, params }: Scene) {
  const { body } = await call(`POST ${MEMBER}/reset-link`, { token, params })
  await openBrowser(call).call(`POST ${MANAGE}/password-reset`, {
    body: { token: body.link.split('#')[1], password: `${PASSWORD} anew` },
  })
}

describe.each(engines)('an open stream on %s', (engine) => {
  test.each(ways)('ends when %s, and nobody else’s does', async (_what, takeAccess) => {
    const server = await startServer(engine)
    const scene = { ...(await withTwoPeople(server)), call: server.call }
    const ownStream = await scene.open({ cookie: scene.person.cookie() })
    const others = await scene.open({ cookie: scene.other.cookie() })
    expect([ownStream.status, others.status]).toEqual([200, 200])
    await takeAccess(scene)
    await ownStream.waitForEnd()
    await createVisitor(server.call, scene.botId).say('Hello')
    await others.waitForEvent('conversation')
    expect([ownStream.events, others.isOpen()]).toEqual([[], true])
  })

  test('of a token ends when the token is revoked', async () => {
    const server = await startServer(engine)
    const { workspaceId, open } = await withTwoPeople(server)
    const robot = await createMember(server.call, workspaceId, 'agent', 'robot')
    const stream = await open({ authorization: `Bearer ${robot.token}` })
    const params = { workspaceId, memberId: robot.memberId, tokenId: robot.tokenId }
    await server.call(`DELETE ${MEMBER}/tokens/{tokenId}`, { token, params })
    await stream.waitForEnd()
  })

  test('ends for everybody when the bot is deleted', async () => {
    const server = await startServer(engine)
    const { botId, person, open } = await withTwoPeople(server)
    const stream = await open({ cookie: person.cookie() })
    await server.call(`DELETE ${MANAGE}/bots/{botId}`, { token, params: { botId } })
    await stream.waitForEnd()
  })
})

test('a stream on one node ends when the membership is removed on another', async () => {
  const one = await startServer('postgres')
  const two = await startServer('postgres', { database: one.database })
  const { params, person, open } = await withTwoPeople(one)
  const stream = await open({ cookie: person.cookie() }, two.baseUrl)
  expect(stream.status).toBe(200)
  await one.call(`DELETE ${MEMBER}`, { token, params })
  await stream.waitForEnd()
})
