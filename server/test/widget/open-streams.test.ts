// A stream of the inbox stays open for hours: it ends when whoever opened it would not be let in any more.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { browser, createWorkspace, join, logIn, M, PASSWORD } from '../harness/people.ts'
import { ADMIN_TOKEN, startServer, type TestServer } from '../harness/start-server.ts'
import { createMember } from '../harness/tenants.ts'
import { createVisitor, listen } from '../harness/visitors.ts'

const MEMBER = `${M}/workspaces/{workspaceId}/members/{memberId}`
const token = ADMIN_TOKEN

async function withTwoPeople(server: TestServer) {
  const { call, baseUrl } = server
  const workspaceId = await createWorkspace(call)
  const bot = await call(`POST ${M}/bots`, { token, body: { name: 'Helper', workspace_id: workspaceId } })
  const botId = bot.body.id as string
  const person = await join(call, workspaceId, 'agent')
  const other = await join(call, workspaceId, 'viewer')
  const members = await call(`GET ${M}/workspaces/{workspaceId}/members`, { token, params: { workspaceId } })
  const member = members.body.items.find(({ email }: { email: string }) => email === person.email)
  const open = (headers: Record<string, string>, at = baseUrl) => listen(`${at}${M}/bots/${botId}/events`, headers)
  return { workspaceId, botId, params: { workspaceId, memberId: member.id as string }, person, other, open }
}

type Scene = Awaited<ReturnType<typeof withTwoPeople>> & Pick<TestServer, 'call'>

const ways: [what: string, take: (scene: Scene) => Promise<unknown>][] = [
  ['the membership is removed', ({ call, params }) => call(`DELETE ${MEMBER}`, { token, params })],
  ['the session is logged out', ({ person }) => person.call(`DELETE ${M}/session`)],
  ['the session is ended from elsewhere', endFromElsewhere],
  ['the password is reset', resetPassword],
  [
    'the second factor is switched off by an owner',
    ({ call, params }) => call(`DELETE ${MEMBER}/two-factor`, { token, params }),
  ],
]

async function endFromElsewhere({ call, person }: Scene) {
  const answer = await logIn(call, person.email)
  const elsewhere = browser(call, answer.headers['set-cookie']?.split(';')[0])
  const { body } = await elsewhere.call(`GET ${M}/account/sessions`)
  const { id } = body.items.find(({ current }: { current: boolean }) => !current)
  await elsewhere.call(`DELETE ${M}/account/sessions/{sessionId}`, { params: { sessionId: id } })
}

async function resetPassword({ call, params }: Scene) {
  const { body } = await call(`POST ${MEMBER}/reset-link`, { token, params })
  await browser(call).call(`POST ${M}/password-reset`, {
    body: { token: body.link.split('#')[1], password: `${PASSWORD} anew` },
  })
}

describe.each(engines)('an open stream on %s', (engine) => {
  test.each(ways)('ends when %s, and nobody else’s does', async (_what, take) => {
    const server = await startServer(engine)
    const scene = { ...(await withTwoPeople(server)), call: server.call }
    const own = await scene.open({ cookie: scene.person.cookie() })
    const others = await scene.open({ cookie: scene.other.cookie() })
    expect([own.status, others.status]).toEqual([200, 200])
    await take(scene)
    await own.ended()
    await createVisitor(server.call, scene.botId).say('Hello')
    await others.wait('conversation')
    expect([own.heard, others.isOpen()]).toEqual([[], true])
  })

  test('of a token ends when the token is revoked', async () => {
    const server = await startServer(engine)
    const { workspaceId, open } = await withTwoPeople(server)
    const robot = await createMember(server.call, workspaceId, 'agent', 'robot')
    const stream = await open({ authorization: `Bearer ${robot.token}` })
    const params = { workspaceId, memberId: robot.memberId, tokenId: robot.tokenId }
    await server.call(`DELETE ${MEMBER}/tokens/{tokenId}`, { token, params })
    await stream.ended()
  })

  test('ends for everybody when the bot is deleted', async () => {
    const server = await startServer(engine)
    const { botId, person, open } = await withTwoPeople(server)
    const stream = await open({ cookie: person.cookie() })
    await server.call(`DELETE ${M}/bots/{botId}`, { token, params: { botId } })
    await stream.ended()
  })
})

test('a stream on one node ends when the membership is removed on another', async () => {
  const one = await startServer('postgres')
  const two = await startServer('postgres', { database: one.database })
  const { params, person, open } = await withTwoPeople(one)
  const stream = await open({ cookie: person.cookie() }, two.baseUrl)
  expect(stream.status).toBe(200)
  await one.call(`DELETE ${MEMBER}`, { token, params })
  await stream.ended()
})
