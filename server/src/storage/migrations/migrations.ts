// Every change of the tables, in the order of its number. One that has landed never changes (docs/decisions/0020).
import { FIRST_VERSION } from './0001-first-version.ts'

/**
 * Runs when a node starts, while nodes of the previous version go on answering. So it only adds, and works whether or
 * not the contractions before it have run.
 */
interface Expansion {
  name: string
  expand: string[]
  /** Indexes of tables that may be large already: built while others write. Nothing may depend on them but speed. */
  indexes?: string[]
}

/** Removes what is no longer used. Runs once every running node knows schema `after`, or by `docent finish-upgrade`. */
interface Contraction {
  name: string
  contract: string[]
  after: number
}

export type Migration = Expansion | Contraction

/** A migration's number is its place in this list, from 1. */
export const migrations: Migration[] = [
  { name: 'first version', expand: FIRST_VERSION },
  {
    name: 'proven addresses',
    expand: [
      // The address that the person has shown to be theirs. Not the account's: its present address is not proven.
      'ALTER TABLE accounts ADD COLUMN verified_email TEXT',
      // The new address, for links that confirm one.
      'ALTER TABLE link_tokens ADD COLUMN email TEXT',
      // Whether the link was sent to the account's address, so that using it proves the address.
      'ALTER TABLE link_tokens ADD COLUMN mailed INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: 'makers of credentials',
    // Ids of members; null: made with ADMIN_TOKEN, by the instance owner, or before this was recorded.
    expand: [
      'ALTER TABLE management_tokens ADD COLUMN created_by TEXT',
      'ALTER TABLE invitations ADD COLUMN created_by TEXT',
      'ALTER TABLE link_tokens ADD COLUMN created_by TEXT',
    ],
  },
  {
    name: 'workspace quota',
    // A limit on the calls of all keys of a workspace together, counted per day.
    expand: [
      'ALTER TABLE workspaces ADD COLUMN total_daily_limit BIGINT',
      `CREATE TABLE workspace_quota_days (
        workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        day INTEGER NOT NULL,
        calls BIGINT NOT NULL,
        PRIMARY KEY (workspace_id, day)
      ) {clustered}`,
    ],
  },
  {
    name: 'currencies',
    // Of prices for which the product states none.
    expand: ['ALTER TABLE bots ADD COLUMN currency TEXT', 'ALTER TABLE product_feeds ADD COLUMN currency TEXT'],
  },
  {
    name: 'actions',
    expand: [
      'ALTER TABLE bots ADD COLUMN actions_version BIGINT NOT NULL DEFAULT 0',
      // What an action has collected when this reply asks for more.
      'ALTER TABLE messages ADD COLUMN action TEXT',
      `CREATE TABLE actions (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        state TEXT NOT NULL,
        definition TEXT NOT NULL,
        auth_shape TEXT,
        auth TEXT,
        secret TEXT NOT NULL,
        previous_secret TEXT,
        previous_until BIGINT,
        model TEXT,
        vectors {blob},
        not_for_vectors {blob},
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, id)
      )`,
      `CREATE TABLE action_runs (
        bot_id TEXT NOT NULL,
        id TEXT NOT NULL,
        action_id TEXT NOT NULL,
        conversation_id TEXT,
        outcome TEXT NOT NULL,
        failure TEXT,
        status INTEGER,
        duration_ms BIGINT,
        inputs TEXT NOT NULL,
        is_test INTEGER NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, id),
        FOREIGN KEY (bot_id, action_id) REFERENCES actions (bot_id, id) ON DELETE CASCADE,
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      )`,
      'CREATE INDEX action_runs_actions ON action_runs (bot_id, action_id, id)',
      'CREATE INDEX action_runs_conversations ON action_runs (bot_id, conversation_id)',
    ],
  },
  {
    name: 'actions started once',
    // The same for every copy of the message that started a run.
    expand: [
      'ALTER TABLE action_runs ADD COLUMN once_key TEXT',
      'CREATE UNIQUE INDEX action_runs_once ON action_runs (bot_id, once_key) WHERE once_key IS NOT NULL',
    ],
  },
  { name: 'texts of a bot by language', expand: ['ALTER TABLE bots ADD COLUMN translations TEXT'] },
  {
    name: 'past replies',
    expand: [],
    // Of conversations that an agent had, for replies to similar questions.
    indexes: [
      `CREATE INDEX conversations_closed ON conversations (bot_id, closed_at)
        WHERE closed_at IS NOT NULL AND accepted_at IS NOT NULL`,
    ],
  },
  {
    name: 'knowledge studio',
    expand: [
      // Null: derived from the content (storage/match-passages.ts). Set where the passage was known by an earlier text.
      'ALTER TABLE passages ADD COLUMN passage_id TEXT',
      // What people did with a passage. `ordinal`: where it is in the document now; null: no longer on the page.
      // `headings`, `page_text`: the passage as it was then. `text`: the correction.
      `CREATE TABLE passage_edits (
        bot_id TEXT NOT NULL,
        document_id TEXT NOT NULL,
        id TEXT NOT NULL,
        ordinal INTEGER,
        headings TEXT NOT NULL,
        page_text TEXT NOT NULL,
        text TEXT,
        excluded INTEGER NOT NULL,
        phrasings TEXT NOT NULL,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, document_id, id),
        FOREIGN KEY (bot_id, document_id) REFERENCES documents (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
      'CREATE INDEX passage_edits_places ON passage_edits (bot_id, document_id, ordinal)',
      // Which passages an answer came from.
      `CREATE TABLE passage_citations (
        bot_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        document_id TEXT NOT NULL,
        passage_id TEXT NOT NULL,
        PRIMARY KEY (bot_id, conversation_id, message_id, document_id, passage_id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
      'CREATE INDEX passage_citations_passages ON passage_citations (bot_id, document_id, passage_id, message_id)',
    ],
  },
  {
    name: 'changes of conversations',
    expand: [
      `CREATE TABLE conversation_changes (
        bot_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        changed_by TEXT,
        value TEXT,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, conversation_id, id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
    ],
  },
  {
    name: 'shops',
    // Feeds that are read through the shop's own API, with a sealed key.
    expand: [
      'ALTER TABLE product_feeds ADD COLUMN shop TEXT',
      'ALTER TABLE product_feeds ADD COLUMN shop_key TEXT',
      'ALTER TABLE product_feeds ADD COLUMN key_hint TEXT',
    ],
  },
  {
    name: 'resolutions',
    // Earlier conversations stay without an outcome: filling them in would lock a large table.
    expand: [
      // When the bot last replied to a question; null: never.
      'ALTER TABLE conversations ADD COLUMN asked_at BIGINT',
      // answered, unresolved, confirmed, negative or escalated, by what followed the last question; null: nothing asked.
      'ALTER TABLE conversations ADD COLUMN outcome TEXT',
      // Conversations deleted since, by the half hour of their start.
      `CREATE TABLE resolutions (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        half_hour INTEGER NOT NULL,
        channel TEXT NOT NULL,
        language TEXT NOT NULL,
        outcome TEXT NOT NULL,
        involved INTEGER NOT NULL,
        conversations INTEGER NOT NULL,
        PRIMARY KEY (bot_id, half_hour, channel, language, outcome, involved)
      ) {clustered}`,
    ],
  },
  {
    name: 'known visitors',
    expand: [
      // What sites sign with who their visitors are; sealed.
      `CREATE TABLE identity_keys (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        secret TEXT NOT NULL,
        last_four TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        last_used_at BIGINT,
        PRIMARY KEY (bot_id, id)
      )`,
      // Visitors whom a site has proven to be its users, and what it stated about them.
      `CREATE TABLE visitor_identities (
        bot_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        visitor_id TEXT NOT NULL,
        name TEXT,
        email TEXT,
        phone TEXT,
        attributes TEXT NOT NULL,
        verified_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, user_id),
        UNIQUE (bot_id, visitor_id),
        FOREIGN KEY (bot_id, visitor_id) REFERENCES visitors (bot_id, id) ON DELETE CASCADE
      )`,
      // Of their further devices.
      `CREATE TABLE visitor_tokens (
        bot_id TEXT NOT NULL,
        token_hash TEXT NOT NULL,
        visitor_id TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, token_hash),
        FOREIGN KEY (bot_id, visitor_id) REFERENCES visitors (bot_id, id) ON DELETE CASCADE
      )`,
      'CREATE INDEX visitor_tokens_visitors ON visitor_tokens (bot_id, visitor_id, created_at)',
    ],
  },
  {
    name: 'test questions',
    expand: [
      // `outcome`, `reply`, `sources`, `ran_at`: of the last run. `passed_…`: the last reply that passed.
      `CREATE TABLE test_questions (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        question TEXT NOT NULL,
        expected_text TEXT,
        expected_source TEXT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        outcome TEXT,
        reply TEXT,
        sources TEXT,
        ran_at BIGINT,
        passed_reply TEXT,
        passed_sources TEXT,
        passed_at BIGINT,
        PRIMARY KEY (bot_id, id)
      ) {clustered}`,
      // When to run them by themselves. `automatic`: null until somebody chose. `tested`: the versions of the content
      // that the last run began with; `seen`: those that were noticed last, at rest since `due_at` at the latest.
      `CREATE TABLE test_schedules (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        automatic INTEGER,
        tested TEXT NOT NULL DEFAULT '',
        seen TEXT NOT NULL DEFAULT '',
        changed_at BIGINT,
        due_at BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (bot_id)
      ) {clustered}`,
      `CREATE TABLE test_runs (
        bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        cause TEXT NOT NULL,
        total INTEGER NOT NULL,
        created_at BIGINT NOT NULL,
        due_at BIGINT NOT NULL,
        finished_at BIGINT,
        lease TEXT,
        leased_until BIGINT NOT NULL DEFAULT 0,
        PRIMARY KEY (bot_id, id)
      )`,
      // One at a time per bot.
      'CREATE UNIQUE INDEX test_runs_open ON test_runs (bot_id) WHERE finished_at IS NULL',
      `CREATE TABLE test_results (
        bot_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        question_id TEXT NOT NULL,
        question TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reply TEXT NOT NULL,
        sources TEXT NOT NULL,
        before_reply TEXT,
        before_sources TEXT,
        before_at BIGINT,
        PRIMARY KEY (bot_id, run_id, question_id),
        FOREIGN KEY (bot_id, run_id) REFERENCES test_runs (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
    ],
  },
  {
    name: 'proposed answers',
    expand: [
      // What agents replied, until an editor decides whether it becomes a curated answer.
      `CREATE TABLE answer_proposals (
        bot_id TEXT NOT NULL,
        id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        question TEXT NOT NULL,
        answer TEXT NOT NULL,
        proposed_by TEXT,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, id),
        UNIQUE (bot_id, conversation_id, message_id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      )`,
    ],
  },
  {
    name: 'the checklist of a bot',
    expand: [
      'ALTER TABLE bots ADD COLUMN is_tested INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE bots ADD COLUMN is_checklist_hidden INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: 'confirmed documents',
    // When somebody found that a document is right.
    expand: ['ALTER TABLE documents ADD COLUMN reviewed_at BIGINT'],
    indexes: ['CREATE INDEX documents_reviewed ON documents (bot_id, reviewed_at) WHERE reviewed_at IS NOT NULL'],
  },
  {
    name: 'who invites',
    expand: ['ALTER TABLE invitations ADD COLUMN invited_by TEXT'],
  },
  {
    name: 'devices and pages of conversations',
    expand: [
      `CREATE TABLE conversation_devices (
        bot_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        browser TEXT,
        system TEXT,
        kind TEXT,
        country TEXT,
        PRIMARY KEY (bot_id, conversation_id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      )`,
      // The hash, because addresses can be longer than PostgreSQL allows in a key.
      `CREATE TABLE conversation_pages (
        bot_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        url_hash TEXT NOT NULL,
        url TEXT NOT NULL,
        visited_at BIGINT NOT NULL,
        PRIMARY KEY (bot_id, conversation_id, url_hash),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      )`,
    ],
  },
  {
    name: 'mentions in notes',
    expand: [
      // With the name as it was written in the note.
      `CREATE TABLE note_mentions (
        bot_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        note_id TEXT NOT NULL,
        member_id TEXT NOT NULL,
        name TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        read_at BIGINT,
        PRIMARY KEY (bot_id, conversation_id, note_id, member_id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
      'CREATE INDEX note_mentions_by_member ON note_mentions (bot_id, member_id)',
    ],
  },
  {
    name: 'availability of members',
    expand: [
      // Who has no row is online.
      `CREATE TABLE member_availability (
        workspace_id TEXT NOT NULL,
        member_id TEXT NOT NULL,
        status TEXT NOT NULL,
        hours TEXT,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (workspace_id, member_id),
        FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
      )`,
    ],
  },
  {
    name: 'waits for a person',
    expand: [],
    indexes: [
      'CREATE INDEX conversations_requested ON conversations (bot_id, requested_at) WHERE requested_at IS NOT NULL',
    ],
  },
  { name: 'language of accounts', expand: ['ALTER TABLE accounts ADD COLUMN language TEXT'] },
  {
    name: 'where visitors come from',
    expand: [
      'ALTER TABLE conversation_devices ADD COLUMN timezone TEXT',
      'ALTER TABLE conversation_devices ADD COLUMN referrer TEXT',
    ],
  },
  {
    name: 'sent contact forms',
    expand: [
      `CREATE TABLE sent_forms (
        bot_id TEXT NOT NULL,
        id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        fields TEXT NOT NULL,
        PRIMARY KEY (bot_id, conversation_id, id),
        FOREIGN KEY (bot_id, conversation_id) REFERENCES conversations (bot_id, id) ON DELETE CASCADE
      ) {clustered}`,
    ],
  },
]

/** The newest schema that this version knows. */
export const SCHEMA_VERSION = migrations.length

/** What would break nodes of the previous version, which run meanwhile; null: nothing. */
export function contractingStatement({ expand, indexes = [] }: Expansion): string | null {
  const ownTables = new Set(expand.map((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1]))
  const ownColumns = new Set(expand.map((statement) => /^ALTER TABLE \w+ ADD COLUMN (\w+)/.exec(statement)?.[1]))
  const isAdditive = (statement: string) => {
    const changedTable = /^(?:ALTER TABLE|UPDATE|INSERT INTO|CREATE(?: UNIQUE)? INDEX \w+ ON) (\w+)/.exec(
      statement,
    )?.[1]
    if (/^CREATE TABLE \w+ \(/.test(statement) || (changedTable && ownTables.has(changedTable))) return true
    if (/^ALTER TABLE \w+ ADD COLUMN /.test(statement))
      return !/\b(UNIQUE|PRIMARY KEY|CHECK|GENERATED)\b/.test(statement) && hasDefault(statement)
    // Rows that older nodes write have no value in a new column, and null is never a duplicate.
    const uniqueColumns = /^CREATE UNIQUE INDEX \w+ ON \w+ \(([^)]*)\)/.exec(statement)?.[1]?.split(/,\s*/)
    if (uniqueColumns) return uniqueColumns.some((column) => ownColumns.has(column))
    // Built at once, an index would keep everybody from writing: those of tables with rows go into `indexes`.
    return indexes.includes(statement) ? /^CREATE INDEX /.test(statement) : /^(UPDATE|INSERT INTO) /.test(statement)
  }
  return [...expand, ...indexes].find((statement) => !isAdditive(statement)) ?? null
}

function hasDefault(column: string): boolean {
  return !/\bNOT NULL\b/.test(column) || /\bDEFAULT\b/.test(column)
}
