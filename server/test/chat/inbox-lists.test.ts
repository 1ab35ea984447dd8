// Inbox lists over many conversations, few of which match.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openInboxTable } from '../../src/storage/inbox.ts'
import type { InboxFilter } from '../../src/storage/inbox-filter.ts'
import { openDatabase } from '../../src/storage/storage.ts'
import { createDatabase } from '../harness/database/databases.ts'
import { longestBlockMs } from '../harness/event-loop.ts'
import { expectBelow } from '../harness/timing.ts'

const NOW = Date.UTC(2026, 10, 15)
const CONVERSATIONS = 30_000

let database: Database

beforeAll(async () => {
  const place = await createDatabase('sqlite')
  database = await openDatabase({ ...place, databasePoolSize: 1 }, NOW)
  afterAll(async () => {
    await database.close()
    await place.drop()
  })
  await database.write(`INSERT INTO workspaces (id, name, plan, created_at) VALUES ('wsp', 'W', 'business', 1)`)
  await database.write(
    `INSERT INTO bots (id, workspace_id, name, language, tone, created_at) VALUES ('bot', 'wsp', 'B', 'en', 'friendly', 1)`,
  )
  await database.write(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONVERSATIONS - 1})
     INSERT INTO conversations (bot_id, id, session_id, channel, message_count, created_at, updated_at,
       assignee_id, requested_at)
     SELECT 'bot', 'cnv_' || i, 'ses_' || i, 'api', 0, i, i, CASE WHEN i > 3 THEN 'mem_many' END, CASE WHEN i < 2 THEN 9 END
     FROM n`,
  )
  await database.write(`INSERT INTO conversation_tags (bot_id, conversation_id, tag) VALUES ('bot', 'cnv_1', 'rare')`)
})

const rare: [InboxFilter, matches: number][] = [
  [{ tag: 'rare' }, 1],
  [{ assigneeId: null }, 4],
  [{ assigneeId: 'mem_none' }, 0],
  [{ assigneeId: 'mem_many', tag: 'rare' }, 0],
  [{ had: 'handover_requested' }, 2],
  [{ had: 'lead' }, 0],
  [{ status: 'resolved' }, 0],
  [{ channel: 'widget' }, 0],
]

test.each(rare)(
  '%j reads 30,000 conversations in batches, so that other work can run in between',
  async (filter, matches) => {
    const inbox = openInboxTable(database)
    const look = async () => {
      expect(await inbox.list(['bot'], filter, { readerId: null, now: NOW }, null, 50)).toHaveLength(matches)
    }
    // A single statement took 23 to 48 ms.
    await expectBelow(15, () => longestBlockMs(look))
  },
)
