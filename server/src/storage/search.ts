// Searches a workspace by name. Long tables are scanned in batches, so that others run in between.
import type { Database } from './database.ts'
import { likePattern } from './lists.ts'

export interface FoundRecord {
  id: string
  botId: string | null
  title: string
  detail: string | null
  /** Of a conversation; null through the API. */
  visitor?: { id: string; name: string | null } | null
  /** When a conversation was last changed. */
  at?: number
  /** Of a passage. */
  documentId?: string
}

interface FoundRow {
  id: string
  botId: string | null
  title: string | null
  detail: string | null
}

type ConversationRow = FoundRow & { visitorId: string | null; updatedAt: number; lastText: string | null }

const LOOKED_AT_ONCE = 5000
const NEWEST_CONVERSATIONS = 1000

const ofBots = (table: string, title: string, detail: string, searchedText: string) =>
  `SELECT t.id, t.bot_id, ${title} AS title, ${detail} AS detail FROM ${table} t JOIN bots b ON b.id = t.bot_id
   WHERE b.workspace_id = $1 AND lower(${searchedText}) LIKE $2 ESCAPE '\\'
   ORDER BY CASE WHEN t.bot_id = $3 THEN 0 ELSE 1 END, t.id LIMIT $4`

const kinds = {
  bot: `SELECT t.id, t.id AS bot_id, t.name AS title, t.site_url AS detail FROM bots t
    WHERE t.workspace_id = $1 AND lower(t.name || ' ' || t.id) LIKE $2 ESCAPE '\\'
    ORDER BY CASE WHEN t.id = $3 THEN 0 ELSE 1 END, t.name, t.id LIMIT $4`,
  file: ofBots('files', 't.name', 't.title', `t.name || ' ' || t.title`),
  answer: ofBots('curated_answers', 't.question', 'substr(t.answer, 1, 1000)', `t.question || ' ' || t.alternatives`),
  website: ofBots('crawls', 't.url', 'NULL', 't.url'),
  key: ofBots(`(SELECT * FROM keys WHERE kind = 'chat')`, 't.name', `'…' || t.last_four`, `t.name || ' ' || t.id`),
  lead: ofBots(
    'leads',
    'coalesce(t.name, t.email, t.phone)',
    't.email',
    `coalesce(t.name, '') || ' ' || coalesce(t.email, '') || ' ' || coalesce(t.phone, '')`,
  ),
  member: `SELECT t.id, NULL AS bot_id, t.name AS title, t.email AS detail FROM members t
    WHERE t.workspace_id = $1 AND lower(t.name || ' ' || t.email) LIKE $2 ESCAPE '\\' AND $3 = $3
    ORDER BY t.name, t.id LIMIT $4`,
}

export type WorkspaceSearch = ReturnType<typeof openWorkspaceSearch>

export function openWorkspaceSearch(database: Database) {
  const find = async (sql: string, values: (string | number)[]) =>
    (await database.query<FoundRow>(sql, values)).map(fromRow)

  /** SQLite's LIKE ignores ASCII case by itself, at a fraction of the cost of `lower`. */
  const lowerCase = (column: string, text: string) =>
    database.engine === 'sqlite' && /^[ -~]*$/.test(text) ? column : `lower(${column})`

  return {
    /** The workspace's bots, `firstId` first. */
    bots: (workspaceId: string, firstId: string, most: number) =>
      database.query<{ id: string; name: string }>(
        `SELECT id, name FROM bots WHERE workspace_id = $1 ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT $3`,
        [workspaceId, firstId, most],
      ),

    find: (kind: keyof typeof kinds, workspaceId: string, text: string, firstBotId: string, most: number) =>
      find(kinds[kind], [workspaceId, likePattern(text), firstBotId, most]),

    /** In title order, from an index. */
    async documents(botId: string, text: string, most: number, isLate: () => boolean): Promise<FoundRecord[]> {
      const records: FoundRecord[] = []
      for (let from: FoundRow | undefined, isEnd = false; !isEnd; await new Promise(setImmediate)) {
        const after: string[] = from ? ['AND (title, id) > ($2, $3)', String(from.title), from.id] : ['']
        const [beyond = '', ...place] = after
        const [end] = await database.query<FoundRow>(
          `SELECT title, id FROM documents WHERE bot_id = $1 ${beyond} ORDER BY title, id
           LIMIT 1 OFFSET ${LOOKED_AT_ONCE - 1}`,
          [botId, ...place],
        )
        const values = [botId, ...place, likePattern(text), most - records.length]
        const number = place.length + 2
        const until = end ? `AND (title, id) <= ($${number + 2}, $${number + 3})` : ''
        const some = await find(
          `SELECT id, bot_id, title, url AS detail FROM documents WHERE bot_id = $1 ${beyond} ${until}
             AND ${lowerCase('title', text)} LIKE $${number} ESCAPE '\\' ORDER BY title, id LIMIT $${number + 1}`,
          [...values, ...(end ? [String(end.title), end.id] : [])],
        )
        records.push(...some)
        from = end
        isEnd = !end || records.length >= most || isLate()
      }
      return records
    },

    /** Among the newest conversations, by author or text. */
    async conversations(botId: string, text: string, most: number): Promise<FoundRecord[]> {
      const rows = await database.query<ConversationRow>(
        `SELECT newest.*, (SELECT m.text FROM messages m WHERE m.bot_id = newest.bot_id AND m.conversation_id = newest.id
           ORDER BY m.id DESC LIMIT 1) AS last_text
         FROM (
           SELECT c.id, c.bot_id, c.updated_at, c.visitor_id, coalesce(v.name, v.email, c.user_id) AS title,
             lower(coalesce(v.name, '') || ' ' || coalesce(v.email, '') || ' ' || c.id) AS who,
             (SELECT m.text FROM messages m WHERE m.bot_id = c.bot_id AND m.conversation_id = c.id
                AND ${lowerCase('m.text', text)} LIKE $2 ESCAPE '\\' ORDER BY m.id DESC LIMIT 1) AS detail
           FROM (SELECT bot_id, id, visitor_id, user_id, updated_at FROM conversations WHERE bot_id = $1
                 ORDER BY updated_at DESC, id DESC LIMIT ${NEWEST_CONVERSATIONS}) c
           LEFT JOIN visitors v ON v.bot_id = c.bot_id AND v.id = c.visitor_id) AS newest
         WHERE detail IS NOT NULL OR who LIKE $2 ESCAPE '\\' ORDER BY updated_at DESC, id DESC LIMIT $3`,
        [botId, likePattern(text), most],
      )
      return rows.map(({ lastText, visitorId, updatedAt, ...row }) => ({
        ...fromRow({ ...row, detail: row.detail ?? lastText }),
        visitor: visitorId === null ? null : { id: visitorId, name: row.title },
        at: updatedAt,
      }))
    },
  }
}

function fromRow({ id, botId, title, detail }: FoundRow): FoundRecord {
  return { id, botId, title: title ?? detail ?? id, detail: title === null ? null : detail }
}
