// Acknowledged turns survive `kill -9` at any point, and all their webhooks arrive.
import { expect, test } from 'vitest'
import { killUnderChats } from '../../../lab/proof/outages/kill-chats.ts'

test('on SQLite, 20 kills under load lose or tear no acknowledged turn or webhook, and the file stays intact', async () => {
  // Two servers with two files in parallel, since most of the time is spent waiting for restarts.
  const runs = await Promise.all([1, 2].map(() => killUnderChats({ engine: 'sqlite', times: 10, hasModels: false })))
  expect(runs.flatMap(({ problems }) => problems)).toEqual([])
})

test('on PostgreSQL, 5 kills of the server under load lose or tear no acknowledged turn or webhook', async () => {
  expect((await killUnderChats({ engine: 'postgres', times: 5, hasModels: false })).problems).toEqual([])
})
