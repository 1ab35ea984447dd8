// What a bot takes along when it moves to another instance. See "Add a table" in CONTRIBUTING.md.
import { expect, test } from 'vitest'
import { createArchiveDatabase } from '../../src/storage/archives/archive.ts'
import { MOVED_TABLES } from '../../src/storage/archives/bots.ts'
import { NOW } from './open-database.ts'

const staysBehind = {
  // Credentials, and what is encrypted with the key of the instance.
  keys: 'credentials',
  identity_keys: 'credentials',
  visitor_tokens: 'credentials',
  product_feeds: 'their URLs are encrypted',
  product_feed_runs: 'belong to a feed',
  // Counts and logs of what this instance did.
  quota_days: 'count calls here',
  model_call_days: 'count calls here',
  model_usage_days: 'count calls here',
  action_runs: 'log of requests sent from here',
  product_syncs: 'log of requests received here',
  test_runs: 'log of answers given here',
  test_results: 'log of answers given here',
  retention_runs: 'when this instance last removed old data',
  // Work in progress.
  deliveries: 'sent from here',
  notification_items: 'sent from here',
  visitor_mails: 'sent from here',
  idempotent_calls: 'callers repeat a call where they made it',
  product_replacements: 'a replacement ends where it began',
  product_sightings: 'belong to a replacement',
  // Built anew, for an index of this instance.
  index_snapshots: 'built from the content',
  product_snapshots: 'built from the products',
  document_removals: 'for indexes that are behind',
  product_removals: 'for indexes that are behind',
  conversation_reads: 'members, who read them, do not move',
}

test('every table of a bot moves with it, or there is a reason why not', async () => {
  const archive = await createArchiveDatabase(':memory:', NOW)
  const ofBots = archive.tables.filter(({ columns }) => columns.some(({ name }) => name === 'bot_id'))
  archive.close()
  expect(ofBots.map(({ name }) => name).toSorted()).toEqual([...MOVED_TABLES, ...Object.keys(staysBehind)].toSorted())
})
