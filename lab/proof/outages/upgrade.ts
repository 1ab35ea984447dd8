// Nodes of the previous version are replaced by this one, one at a time, and then back, on one PostgreSQL and with traffic
// on all of them: no call fails, and every acknowledged turn is kept.

import { onTestFinished } from 'vitest'
import type { Call } from '../../../server/test/harness/call.ts'
import { createDatabase } from '../../../server/test/harness/database/databases.ts'
import { queryRows } from '../../../server/test/harness/database/rows.ts'
import { checkOutPreviousVersion, whyNoPreviousVersion } from '../../../server/test/harness/previous-version.ts'
import { type StartedProcess, startProcess } from '../../../server/test/harness/start-process.ts'
import { ADMIN_TOKEN, botCreator, type TestBot } from '../../../server/test/harness/start-server.ts'
import { pause } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'

const BETWEEN_MS = 25
const documents = [{ id: 'hours', title: 'Opening hours', text: 'We are open on Sundays from 10 to 16.' }]
// All visitors of the test have one address.
const environment = {
  WIDGET_MESSAGES_PER_MINUTE: '1000000',
  WIDGET_SESSIONS_PER_HOUR: '1000000',
  WIDGET_REQUESTS_PER_MINUTE: '1000000',
}

// Version 0.1.0 sends several queries at once on a connection when it has more of them than connections, and counts the pages
// of lists as downloads. The first may mix up rows when a column is added: see the tests of the engines.
const ofPrevious = { DATABASE_POOL_SIZE: '60', DOWNLOADS_PER_MINUTE: '1000000' }

/** `times`: how often there and back. `restMs`: how long each state is kept. `connections`: to each node. */
export async function upgradeAndBack({
  times,
  restMs = 1000,
  nodes = 2,
  connections = 3,
}: Pick<PartOptions, 'times'> & { restMs?: number; nodes?: number; connections?: number }): Promise<PartResult> {
  const notRun = whyNoPreviousVersion()
  if (notRun) return { counts: { upgrades: 0 }, problems: [], notRun }
  const previous = checkOutPreviousVersion()
  const database = await createDatabase('postgres', { isEmpty: true })
  onTestFinished(() => database.drop())
  const start = (main?: string) =>
    startProcess({ database, ...(main ? { main, environment: { ...environment, ...ofPrevious } } : { environment }) })

  const first = await start(previous)
  const bot = await botCreator(first.call)({ documents, dailyLimit: 100_000_000 })
  const traffic = makeTraffic(bot, connections)
  let serving: StartedProcess[] = []
  const add = (node: StartedProcess) => {
    serving.push(node)
    traffic.begin(node.call)
  }
  /** As a load balancer: a new node gets calls before an old one gets no more. */
  async function replaceAll(main?: string) {
    for (const old of serving) {
      add(await start(main))
      await pause(restMs)
      await traffic.end(old.call)
      if ((await old.call('GET /readyz')).status !== 200) problems.push('an old node is not ready')
      if ((await old.stop()) !== 0) problems.push('a node did not stop by itself')
      logLines.push(...loggedErrors(old))
      serving = serving.filter((node) => node !== old)
    }
    await pause(restMs)
  }

  const problems: string[] = []
  const logLines: string[] = []
  add(first)
  for (let n = 1; n < nodes; n++) add(await start(previous))
  for (let n = 0; n < times; n++) {
    await replaceAll()
    await replaceAll(previous)
  }
  await traffic.endAll()
  problems.push(...new Set(traffic.failed))
  for (const node of serving) {
    await node.stop()
    logLines.push(...loggedErrors(node))
  }
  // A failed call says only that it was logged.
  if (problems.length > 0) problems.push(...new Set(logLines))
  const rows = await queryRows(database, "SELECT id FROM messages WHERE role = 'assistant'")
  const storedIds = new Set(rows.map(({ id }) => id))
  const lostIds = traffic.acknowledged.filter((id) => !storedIds.has(id))
  if (lostIds.length > 0) problems.push(`acknowledged and lost: ${lostIds.join(' ')}`)
  const counts = { upgrades: times, 'ways back': times, calls: traffic.calls(), failed: traffic.failed.length }
  return { counts: { ...counts, 'turns acknowledged': traffic.acknowledged.length }, problems }
}

const loggedErrors = ({ output }: StartedProcess): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .map((line) => line.replace(/^.*?"(?=err"|msg")/, '').slice(0, 600))

function makeTraffic(bot: TestBot, connections: number) {
  const acknowledgedIds: string[] = []
  const failures: string[] = []
  const running = new Map<Call, { isRunning: boolean; ended: Promise<unknown> }>()
  let calls = 0

  /** What chats, visitors and the team do, each by its own statements. */
  async function connection(call: Call, state: { isRunning: boolean }) {
    for (let n = 0; state.isRunning; n++) {
      await pause(BETWEEN_MS)
      const ask = async (route: string, options: object) => {
        calls++
        const response = await call(route, options).catch((error: unknown) => ({
          status: 0,
          text: String(error),
          body: {},
        }))
        if (response.status < 200 || response.status >= 300)
          failures.push(`${route}: ${response.status} ${response.text.replace(/,"request_id".*/, '').slice(0, 200)}`)
        return response.body ?? {}
      }
      const params = { botId: bot.botId }
      const question = 'Are you open on Sundays?'
      const chat = await ask('POST /api/v1/chat', { token: bot.key, body: { bot_id: bot.botId, message: question } })
      if (chat.message_id) acknowledgedIds.push(chat.message_id)
      const next = { bot_id: bot.botId, message: 'And until when?', session_id: chat.session_id }
      if (chat.session_id) await ask('POST /api/v1/chat', { token: bot.key, body: next })
      const reply = await ask('POST /api/chat/{botId}/message', { params, body: { message: question } })
      if (reply.message_id) acknowledgedIds.push(reply.message_id)
      const headers = { 'x-visitor-token': reply.visitor_token }
      const lead = { session_id: reply.session_id, fields: { name: 'Ada', email: 'ada@example.test' } }
      if (reply.visitor_token) await ask('POST /api/chat/{botId}/lead', { params, headers, body: lead })
      const token = ADMIN_TOKEN
      await ask('GET /api/manage/v1/bots/{botId}/conversations', { token, params })
      const document = { id: `page-${n % 5}`, title: 'Page', text: `What page ${n} says.` }
      await ask('POST /api/manage/v1/bots/{botId}/documents', { token, params, body: { documents: [document] } })
      await ask('POST /api/manage/v1/workspaces/{workspaceId}/invitations', {
        token,
        params: { workspaceId: bot.workspaceId },
        body: { email: `guest-${n % 5}@example.test`, role: 'viewer' },
      })
    }
  }

  async function end(call: Call) {
    const state = running.get(call)
    if (state) state.isRunning = false
    await state?.ended
    running.delete(call)
  }

  return {
    acknowledged: acknowledgedIds,
    failed: failures,
    calls: () => calls,
    begin(call: Call) {
      const state = { isRunning: true, ended: Promise.resolve() as Promise<unknown> }
      state.ended = Promise.all(Array.from({ length: connections }, () => connection(call, state)))
      running.set(call, state)
    },
    end,
    endAll: () => Promise.all([...running.keys()].map(end)),
  }
}
