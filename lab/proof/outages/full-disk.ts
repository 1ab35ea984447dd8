// A disk that is full for a time (a limit on the size of files, RLIMIT_FSIZE): refused with 503, nothing acknowledged is
// lost, and all is well again by itself.

import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { queryRows } from '../../../server/test/harness/database/rows.ts'
import { createTestDatabase, startProcess } from '../../../server/test/harness/start-process.ts'
import { botCreator } from '../../../server/test/harness/start-server.ts'
import { pause } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { makeRandom } from '../requests/random.ts'
import { answersAgain, startChats } from './chat-load.ts'

const RECOVERY_MS = 20_000
const FULL_MS = 700

export async function fillDisk({ seed, times }: Omit<PartOptions, 'engine'>): Promise<PartResult> {
  const random = makeRandom(seed)
  const database = await createTestDatabase('sqlite')
  const server = await startProcess({ database })
  const bot = await botCreator(server.call)({ dailyLimit: 100_000_000 })
  const load = startChats([server.call], bot)
  const problems: string[] = []
  const limitFiles = (bytes: string) => execFileSync('prlimit', [`--pid=${server.pid}`, `--fsize=${bytes}:`])
  for (let n = 0; n < times; n++) {
    await pause(random.below(200))
    const walBytes = statSync(join(database.dataDir, 'docent.sqlite-wal')).size
    limitFiles(String(random.pick([0, walBytes, walBytes + random.below(20_000)])))
    await pause(FULL_MS)
    if ((await server.call('GET /livez')).status !== 200) problems.push('not alive with a full disk')
    limitFiles('unlimited')
    if (!(await answersAgain(load.acknowledged, RECOVERY_MS))) problems.push('no answer after the disk had room again')
  }
  await load.stop()
  for (const [status, count] of load.statuses)
    if (status !== 200 && status !== 503) problems.push(`${count} calls answered with ${status}`)
  const storedIds = new Set(
    (await queryRows(database, "SELECT id FROM messages WHERE role = 'assistant'")).map(({ id }) => id),
  )
  const lostIds = load.acknowledged.filter((id) => !storedIds.has(id))
  if (lostIds.length > 0) problems.push(`acknowledged and lost: ${lostIds.join(' ')}`)
  await server.stop()
  const [integrity] = await queryRows(database, 'PRAGMA integrity_check')
  if (integrity?.integrity_check !== 'ok') problems.push('the file is damaged')
  const counts = { 'times full': times, 'turns acknowledged': load.acknowledged.length }
  return { counts: { ...counts, 'turns refused': load.statuses.get(503) ?? 0 }, problems }
}
