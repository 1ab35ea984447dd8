// `kill -9` under chats: no acknowledged turn is lost or torn, the quota counts each call once, every webhook arrives.
import { onTestFinished } from 'vitest'
import { queryRows } from '../../../server/test/harness/database/rows.ts'
import { startEventReceiver } from '../../../server/test/harness/event-receiver.ts'
import { createTestDatabase, spawnProcess, startProcess } from '../../../server/test/harness/start-process.ts'
import { botCreator } from '../../../server/test/harness/start-server.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { type KillReport, killLoop } from './kill-loop.ts'

const NO_LIMIT = 100_000_000
const documents = [{ id: 'kept', title: 'Kept', text: 'Whatever was acknowledged is kept.' }]

interface Options extends Omit<PartOptions, 'seed'> {
  /** Their process takes most of the work of a start. */
  hasModels?: boolean
}

export async function killUnderChats({ engine, times, hasModels = true }: Options): Promise<PartResult> {
  const environment = {
    ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
    WEBHOOK_TIMEOUT_SECONDS: '2',
    EMBEDDINGS: hasModels ? 'on' : 'off',
  }
  const database = await createTestDatabase(engine)
  const receiver = await startEventReceiver()
  onTestFinished(() => receiver.close())
  const server = await startProcess({ database, environment })
  const bot = await botCreator(server.call)({ documents, dailyLimit: NO_LIMIT, webhookUrl: receiver.url })
  await server.stop()
  const read = (sql: string) => queryRows(database, sql)
  const report = await killLoop({
    kills: times,
    bot,
    receiver,
    read,
    start: () => spawnProcess({ database, environment }),
  })
  const problems = problemsOf(report)
  const integrity = engine === 'sqlite' ? await read('PRAGMA integrity_check') : []
  for (const { integrity_check } of integrity)
    if (integrity_check !== 'ok') problems.push(`the file is damaged: ${integrity_check}`)
  const { kills, acknowledged, deliveries } = report
  return { counts: { kills, 'turns acknowledged': acknowledged, deliveries }, problems }
}

function problemsOf(report: KillReport): string[] {
  const { lost, torn, unheard, renamed, counted, acknowledged, attempted } = report
  const wrong: [boolean, string][] = [
    [lost.length > 0, `acknowledged and lost: ${lost.join(' ')}`],
    [torn > 0, `${torn} conversations whose count of messages is wrong`],
    [unheard.length > 0, `never told of: ${unheard.join(' ')}`],
    [renamed > 0, `${renamed} messages told of under two event ids`],
    [counted < acknowledged, `${counted} calls counted of ${acknowledged} answered`],
    [counted > attempted, `${counted} calls counted of ${attempted} sent`],
    [acknowledged < report.kills, `only ${acknowledged} turns were answered`],
  ]
  return wrong.flatMap(([is, what]) => (is ? [what] : []))
}
