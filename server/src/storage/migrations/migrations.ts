// Every change of the tables, in the order of its number. One that has landed never changes (docs/decisions/0020).
import { firstVersion } from './0001-first-version.ts'

/**
 * Runs when a node starts, while nodes of the previous version go on answering. So it only adds, and works whether or
 * not the contractions before it have run.
 */
export interface Expansion {
  name: string
  expand: string[]
  /** Indexes of tables that may be large already: built while others write. Nothing may depend on them but speed. */
  indexes?: string[]
}

/** Removes what is no longer used. Runs once every running node knows schema `after`, or by `docent finish-upgrade`. */
export interface Contraction {
  name: string
  contract: string[]
  after: number
}

export type Migration = Expansion | Contraction

/** A migration's number is its place in this list, from 1. */
export const migrations: Migration[] = [
  { name: 'first version', expand: firstVersion },
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
]

/** The newest schema that this version knows. */
export const SCHEMA_VERSION = migrations.length

/** What would break nodes of the previous version, which run meanwhile; null: nothing. */
export function contractingStatement({ expand, indexes = [] }: Expansion): string | null {
  const ownTables = new Set(expand.map((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1]))
  const ownColumns = new Set(expand.map((statement) => /^ALTER TABLE \w+ ADD COLUMN (\w+)/.exec(statement)?.[1]))
  const isAdditive = (statement: string) => {
    const changed = /^(?:ALTER TABLE|UPDATE|INSERT INTO|CREATE(?: UNIQUE)? INDEX \w+ ON) (\w+)/.exec(statement)?.[1]
    if (/^CREATE TABLE \w+ \(/.test(statement) || (changed && ownTables.has(changed))) return true
    if (/^ALTER TABLE \w+ ADD COLUMN /.test(statement))
      return !/\b(UNIQUE|PRIMARY KEY|CHECK|GENERATED)\b/.test(statement) && hasDefault(statement)
    // Rows that older nodes write have no value in a new column, and null is never a duplicate.
    const uniqueColumns = /^CREATE UNIQUE INDEX \w+ ON \w+ \(([^)]*)\)/.exec(statement)?.[1]?.split(/,\s*/)
    if (uniqueColumns) return uniqueColumns.some((column) => ownColumns.has(column))
    return /^(CREATE INDEX|UPDATE|INSERT INTO) /.test(statement)
  }
  return [...expand, ...indexes].find((statement) => !isAdditive(statement)) ?? null
}

function hasDefault(column: string): boolean {
  return !/\bNOT NULL\b/.test(column) || /\bDEFAULT\b/.test(column)
}
