// What was acknowledged survives `kill -9` at any point, and every webhook that reports it arrives.
import { expect, test } from 'vitest'
import { killUnderChats } from '../proof/outages/kill-chats.ts'

test('on SQLite, no acknowledged turn is lost or torn by 20 kills under load, its webhooks arrive, and the file stays whole', async () => {
  // Two servers on two files side by side, because most of the time is waiting for restarts.
  const runs = await Promise.all([1, 2].map(() => killUnderChats({ engine: 'sqlite', times: 10, hasModels: false })))
  expect(runs.flatMap(({ problems }) => problems)).toEqual([])
})

test('on PostgreSQL, no acknowledged turn is lost or torn by 5 kills of the server under load, and its webhooks arrive', async () => {
  expect((await killUnderChats({ engine: 'postgres', times: 5, hasModels: false })).problems).toEqual([])
})
