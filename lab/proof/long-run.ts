// Every part of the proof, each with its result in a file of its own; started by lab/proof/proof.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { type Engine, engines } from '../../server/test/harness/database/databases.ts'
import { jumpClock } from './clock-jumps.ts'
import { tryEnvironments } from './environments.ts'
import { measureLoad } from './memory.ts'
import { fillDisk } from './outages/full-disk.ts'
import { killUnderChats } from './outages/kill-chats.ts'
import { killUnderSyncs } from './outages/kill-knowledge.ts'
import { endPostgres } from './outages/postgres-outage.ts'
import { upgradeAndBack } from './outages/upgrade.ts'
import type { PartResult } from './part.ts'
import { tryEveryCaller } from './requests/authorisation.ts'
import { keepCredentials } from './requests/credentials.ts'
import { useForeignSessions } from './requests/foreign-sessions.ts'
import { tryHostileInput } from './requests/hostile-input.ts'
import { tryHostileMessages } from './requests/hostile-messages.ts'
import { exceedLimits } from './requests/limits.ts'
import { keepPromises } from './requests/promises.ts'
import { tryRequests } from './requests/requests.ts'
import { leaveUnread } from './unread-responses.ts'

const { seed, requests, kills, folder } = inject('proof')

part('Callers × operations', engines, (engine) => tryEveryCaller({ engine, seed, times: Number.POSITIVE_INFINITY }))
part('Ways in that ended', engines, (engine) => keepCredentials({ engine, seed, times: few(requests / 200) }))
part('Limits over many bots, mails and keys', engines, (engine) =>
  exceedLimits({ engine, seed, times: few(requests / 5000) }),
)
part('Foreign sessions', engines, (engine) => useForeignSessions({ engine, seed, times: few(requests / 50) }))
part('Mirrored refusals, preflights and escaped messages', engines, (engine) =>
  keepPromises({ engine, seed, times: few(requests / 20) }),
)
part('Generated environments', ['sqlite'], () => tryEnvironments({ seed, times: few(requests / 20) }))
part('Generated requests', engines, (engine) => tryRequests({ engine, seed, times: requests }))
part('Kills under chats and webhooks', engines, (engine) => killUnderChats({ engine, times: kills }))
part('Kills under syncs, imports and a crawl', engines, (engine) =>
  killUnderSyncs({ engine, seed, times: few(kills / 2) }),
)
part('Full disk (RLIMIT_FSIZE)', ['sqlite'], () => fillDisk({ seed, times: few(kills / 2) }))
part('PostgreSQL stopped and killed under two nodes', ['postgres'], () => endPostgres({ seed, times: few(kills / 2) }))
part('Upgrade from the previous version and back', ['postgres'], () => upgradeAndBack({ times: few(kills / 20) }))
part('Clock jumps', engines, (engine) => jumpClock({ engine, seed, times: few(requests / 100) }))
part('Hostile addresses and files', engines, (engine) => tryHostileInput({ engine, seed, times: few(requests / 20) }))
part('Hostile messages', engines, (engine) => tryHostileMessages({ engine, seed, times: few(requests / 10) }))
part('Unread responses', engines, (engine) => leaveUnread({ engine, times: few(requests / 20) }))
part('Memory and stalls', ['sqlite'], () => measureLoad({ times: few(requests / 5) }))

/** Told of each part. */
const MAX_PROBLEMS = 20

function few(times: number): number {
  return Math.max(3, Math.round(times))
}

/** A result is written even if there are problems; they are what it is for. */
function part(name: string, on: readonly Engine[], run: (engine: Engine) => Promise<PartResult>) {
  for (const engine of on)
    test(`${name} on ${engine}`, { timeout: 0 }, async () => {
      const startedAt = performance.now()
      const { counts, problems: all, notRun } = await run(engine)
      const more = all.length > MAX_PROBLEMS ? [`and ${all.length - MAX_PROBLEMS} more`] : []
      const problems = [...all.slice(0, MAX_PROBLEMS), ...more]
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10
      console.log(`${name} on ${engine}: ${seconds} s, ${all.length} problems, ${JSON.stringify(counts)}`)
      const file = join(folder, `${Date.now()}-${engine}.json`)
      writeFileSync(file, JSON.stringify({ name, engine, counts, problems, seconds, notRun }))
      expect(problems).toEqual([])
    })
}
