// Acknowledged turns survive `kill -9` at any point, and all their webhooks arrive; `npm run proof` kills 200 times.
import { expect, test } from 'vitest'
import { killUnderChats } from '../../../lab/proof/outages/kill-chats.ts'

test('on SQLite, 8 kills under load lose or tear no acknowledged turn or webhook, and the file stays intact', async () => {
  // Two servers with two files in parallel, since most of the time is spent waiting for restarts.
  const runs = await Promise.all([1, 2].map(() => killUnderChats({ engine: 'sqlite', times: 4, hasModels: false })))
  expect(runs.flatMap(({ problems }) => problems)).toEqual([])
})

test('on PostgreSQL, 3 kills of the server under load lose or tear no acknowledged turn or webhook', async () => {
  expect((await killUnderChats({ engine: 'postgres', times: 3, hasModels: false })).problems).toEqual([])
})
