// A very large bot, written directly to the database, because only reading it is tested.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestDatabase } from '../../server/test/harness/database/databases.ts'

const large = { conversations: 10_000, documents: 50_000, products: 100_000 }

const TEXT = 'Standard delivery takes two to four working days, and express delivery one. '.repeat(8)

const KNOWN = { id: 'p1', title: 'Kestrel backpack' }

const upTo = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`

/** The number with six digits, so that ids sort in order. */
const SIX = "substr('000000' || n, length('' || n) + 1)"

function statements(botId: string, now: number): string[] {
  const at = `${now} - n * 60000`
  return [
    `${upTo(large.conversations)} INSERT INTO conversations
       (bot_id, id, channel, session_id, message_count, created_at, updated_at, unanswered, handover_status)
     SELECT '${botId}', 'cnv_' || ${SIX}, 'widget', 'session-' || n, 2, ${at}, ${at}, CASE WHEN n % 7 = 0 THEN 1 ELSE 0 END,
       CASE WHEN n % 500 = 0 THEN 'requested' ELSE 'none' END FROM numbers`,
    `${upTo(large.conversations)} INSERT INTO messages (bot_id, conversation_id, id, role, text, answered, created_at)
     SELECT '${botId}', 'cnv_' || ${SIX}, 'msg_1', 'user', 'Question number ' || n || ' about delivery', NULL, ${at} FROM numbers`,
    `${upTo(large.conversations)} INSERT INTO messages (bot_id, conversation_id, id, role, text, answered, created_at)
     SELECT '${botId}', 'cnv_' || ${SIX}, 'msg_2', 'assistant', '${TEXT}', 1, ${at} FROM numbers`,
    `${upTo(large.documents)} INSERT INTO documents
       (bot_id, id, title, url, language, format, content, hash, passage_count, version, created_at, updated_at)
     SELECT '${botId}', 'doc-' || ${SIX}, 'Page number ' || n, 'https://shop.test/' || n, 'en', 'text', '${TEXT}', '' || n, 3, 1,
       ${now}, ${now} FROM numbers`,
    // As if imported by a sync.
    `${upTo(large.products)} INSERT INTO products (bot_id, id, hash, version, availability, search_text, synced_at, body)
     SELECT bot_id, 'sku-' || ${SIX}, '' || n, version, availability, 'lamp number ' || n, synced_at,
       replace(body, '${KNOWN.title}', 'Lamp number ' || n)
     FROM numbers, products WHERE bot_id = '${botId}' AND id = '${KNOWN.id}'`,
  ]
}

export function fillBot({ dataDir }: TestDatabase, botId: string, now: number) {
  const file = new DatabaseSync(join(dataDir, 'docent.sqlite'), { timeout: 10_000 })
  file.exec(`PRAGMA synchronous = OFF; BEGIN; ${statements(botId, now).join(';')}; COMMIT`)
  file.close()
}
