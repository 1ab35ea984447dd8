import type { Availability, Plan, Role, TeamLanguage } from '@docent/contract'
import { type Database, first, makeFromRow, type Queries, type Stored } from './database.ts'
import { assignments } from './statements.ts'
import { lockWorkspace } from './workspaces.ts'

export interface MemberRecord {
  workspaceId: string
  id: string
  email: string
  name: string
  role: Role
  createdAt: number
  /** Null: nobody can log in as this member yet. */
  accountId: string | null
  /** Whether the account has a second factor. */
  twoFactor: boolean
}

/** A workspace with the member's role in it. */
export interface Membership {
  id: string
  name: string
  plan: Plan
  role: Role
}

/** A member who may take conversations. */
export interface AgentRecord {
  id: string
  name: string
  avatar: string | null
  /** False: a program with a token, or somebody who has not joined yet. */
  hasAccount: boolean
  availability: Availability
}

interface NamedMember {
  id: string
  name: string
  email: string
  accountId: string | null
  /** Of the account. */
  language: TeamLanguage | null
}

interface AvailabilityRow {
  status: Availability['status'] | null
  hours: string | null
}

/** Who has set nothing is online at any time. */
function availabilityFromRow({ status, hours }: AvailabilityRow): Availability {
  return { status: status ?? 'online', hours: hours === null ? null : JSON.parse(hours) }
}

interface AccountName {
  id: string
  email: string
  name: string
}

export interface MemberChange {
  name?: string | undefined
  role?: Role | undefined
}

const CHANGEABLE = ['name', 'role'] as const

const fromRow = makeFromRow<MemberRecord>({ twoFactor: 'flag' })

interface MembershipRow {
  id: string
  name: string
  plan: Plan
  role: Role
}

const AT_ONCE = 300

const SELECT = `SELECT m.*, CASE WHEN a.second_factor IS NULL THEN 0 ELSE 1 END AS two_factor
  FROM members m LEFT JOIN accounts a ON a.id = m.account_id`

export type MembersTable = ReturnType<typeof openMembersTable>

export function openMembersTable(database: Database) {
  return {
    async insert(member: MemberRecord) {
      await database.write(
        'INSERT INTO members (workspace_id, id, email, name, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
        [member.workspaceId, member.id, member.email, member.name, member.role, member.createdAt],
      )
    },

    /** Adds the account; an existing member with its address keeps id, name and role. */
    async joinAs(newMember: { workspaceId: string; id: string; account: AccountName; role: Role; now: number }) {
      const { workspaceId, id, account, role, now } = newMember
      await database.write(
        `INSERT INTO members (workspace_id, id, email, name, role, created_at, account_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (workspace_id, email) DO UPDATE SET account_id = $7`,
        [workspaceId, id, account.email, account.name, role, now, account.id],
      )
    },

    async find(workspaceId: string, id: string) {
      const row = await first(
        database.query<Stored<MemberRecord>>(`${SELECT} WHERE m.workspace_id = $1 AND m.id = $2`, [workspaceId, id]),
      )
      return row && fromRow(row)
    },

    async findByEmail(workspaceId: string, email: string) {
      const row = await first(
        database.query<Stored<MemberRecord>>(`${SELECT} WHERE m.workspace_id = $1 AND m.email = $2`, [
          workspaceId,
          email,
        ]),
      )
      return row && fromRow(row)
    },

    /** Across all tenants: an account's memberships. */
    listOfAccount: (accountId: string): Promise<Membership[]> =>
      database.query<MembershipRow>(
        `SELECT w.id, w.name, w.plan, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE m.account_id = $1 ORDER BY w.id`,
        [accountId],
      ),

    async list(workspaceId: string, after: string, limit: number) {
      const rows = await database.query<Stored<MemberRecord>>(
        `${SELECT} WHERE m.workspace_id = $1 AND m.id > $2 ORDER BY m.id LIMIT $3`,
        [workspaceId, after, limit],
      )
      return rows.map(fromRow)
    },

    /** The addresses of the owners. */
    listOwners: (workspaceId: string) =>
      database.query<{ email: string; language: TeamLanguage | null }>(
        `SELECT m.email, a.language FROM members m LEFT JOIN accounts a ON a.id = m.account_id
         WHERE m.workspace_id = $1 AND m.role = 'owner' ORDER BY m.id`,
        [workspaceId],
      ),

    /**
     * Null when this would leave the workspace without an owner. Ends what a demoted owner made for others, and unassigns
     * conversations if the role may not take any.
     */
    async update(member: MemberRecord, change: MemberChange) {
      const key = { workspaceId: member.workspaceId, id: member.id }
      const statement = assignments('members', key, CHANGEABLE, change)
      const mayEndOwnership = change.role !== undefined && change.role !== 'owner'
      if (!statement) return nothingEnded
      return changeUnlessLastOwner(database, member, mayEndOwnership, async (tx) => {
        await tx.query(statement.sql, statement.values)
        if (change.role === 'viewer') await unassign(tx, member)
        return mayEndOwnership ? endMade(tx, member) : nothingEnded
      })
    },

    /** Null when this would leave the workspace without an owner. Ends what they made, and unassigns their conversations. */
    remove(member: MemberRecord) {
      return changeUnlessLastOwner(database, member, true, async (tx) => {
        await unassign(tx, member)
        const values = [member.workspaceId, member.id]
        const ofWorkspace = 'bot_id IN (SELECT id FROM bots WHERE workspace_id = $1)'
        await tx.query(`DELETE FROM conversation_reads WHERE ${ofWorkspace} AND reader_id = $2`, values)
        await tx.query(`DELETE FROM note_mentions WHERE ${ofWorkspace} AND member_id = $2`, values)
        await tx.query('DELETE FROM saved_filters WHERE workspace_id = $1 AND owner_id = $2', values)
        const endedCredentials = await endMade(tx, member)
        await tx.query('DELETE FROM members WHERE workspace_id = $1 AND id = $2', values)
        return endedCredentials
      })
    },

    /** All members, by name. */
    listNames: (workspaceId: string) =>
      database.query<NamedMember>(
        `SELECT m.id, m.name, m.email, m.account_id, a.language FROM members m
         LEFT JOIN accounts a ON a.id = m.account_id WHERE m.workspace_id = $1 ORDER BY m.name, m.id`,
        [workspaceId],
      ),

    listAgents: (workspaceId: string) => listAgents(database, workspaceId),

    async findAvailability(workspaceId: string, memberId: string): Promise<Availability> {
      const row = await first(
        database.query<AvailabilityRow>(
          'SELECT status, hours FROM member_availability WHERE workspace_id = $1 AND member_id = $2',
          [workspaceId, memberId],
        ),
      )
      return availabilityFromRow(row ?? { status: null, hours: null })
    },

    /** Changes what is given. Undefined: there is no such member. */
    async setAvailability(workspaceId: string, memberId: string, part: Partial<Availability>, now: number) {
      const { status = 'online', hours = null } = part
      const changes = (['status', 'hours'] as const)
        .filter((field) => part[field] !== undefined)
        .map((field) => `${field} = excluded.${field}, `)
      const [row] = await database.write<AvailabilityRow>(
        `INSERT INTO member_availability (workspace_id, member_id, status, hours, updated_at)
         SELECT m.workspace_id, m.id, $3, $4, $5 FROM members m WHERE m.workspace_id = $1 AND m.id = $2
         ON CONFLICT (workspace_id, member_id)
         DO UPDATE SET ${changes.join('')}updated_at = excluded.updated_at
         RETURNING status, hours`,
        [workspaceId, memberId, status, hours && JSON.stringify(hours), now],
      )
      return row && availabilityFromRow(row)
    },
  }
}

/** Members who may take conversations. */
export async function listAgents(tx: Queries, workspaceId: string): Promise<AgentRecord[]> {
  const rows = await tx.query<Stored<Omit<AgentRecord, 'availability'>> & AvailabilityRow>(
    `SELECT m.id, m.name, a.id AS avatar, CASE WHEN m.account_id IS NULL THEN 0 ELSE 1 END AS has_account,
       v.status, v.hours
     FROM members m
     LEFT JOIN member_avatars a ON a.workspace_id = m.workspace_id AND a.member_id = m.id
     LEFT JOIN member_availability v ON v.workspace_id = m.workspace_id AND v.member_id = m.id
     WHERE m.workspace_id = $1 AND m.role <> 'viewer' ORDER BY m.name, m.id`,
    [workspaceId],
  )
  return rows.map(({ id, name, avatar, hasAccount, ...row }) => {
    return { id, name, avatar, hasAccount: hasAccount === 1, availability: availabilityFromRow(row) }
  })
}

/** In batches, so that others can read in between. */
async function unassign(tx: Queries, { workspaceId, id }: MemberRecord) {
  const bots = await tx.query<{ id: string }>('SELECT id FROM bots WHERE workspace_id = $1', [workspaceId])
  for (const bot of bots)
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      const unassignedRows = await tx.query(
        `UPDATE conversations SET assignee_id = NULL, assignee_name = NULL WHERE bot_id = $1 AND id IN (
           SELECT id FROM conversations WHERE bot_id = $1 AND assignee_id = $2 LIMIT $3) RETURNING id`,
        [bot.id, id, AT_ONCE],
      )
      count = unassignedRows.length
    }
}

/** What a member had made for others, and that ended with their rights. */
export interface EndedCredentials {
  tokens: number
  invitations: number
  resetLinks: number
}

const nothingEnded: EndedCredentials = { tokens: 0, invitations: 0, resetLinks: 0 }

/** Whoever makes a way in for others may well hold it themselves. */
async function endMade(tx: Queries, { workspaceId, id }: MemberRecord): Promise<EndedCredentials> {
  const values = [workspaceId, id]
  const tokens = await tx.query(
    'DELETE FROM management_tokens WHERE workspace_id = $1 AND created_by = $2 AND member_id <> $2 RETURNING id',
    values,
  )
  const invitations = await tx.query(
    'DELETE FROM invitations WHERE workspace_id = $1 AND created_by = $2 RETURNING id',
    values,
  )
  const resetLinks = await tx.query('DELETE FROM link_tokens WHERE created_by = $1 RETURNING hash', [id])
  return { tokens: tokens.length, invitations: invitations.length, resetLinks: resetLinks.length }
}

async function changeUnlessLastOwner(
  database: Database,
  member: MemberRecord,
  mayEndOwnership: boolean,
  change: (tx: Queries) => Promise<EndedCredentials>,
) {
  return database.transaction(async (tx): Promise<EndedCredentials | null> => {
    // So that two owners cannot step down at once.
    await lockWorkspace(tx, member.workspaceId)
    const owners = `SELECT id FROM members WHERE workspace_id = $1 AND role = 'owner'`
    const before = await tx.query<{ id: string }>(owners, [member.workspaceId])
    if (mayEndOwnership && before.length === 1 && before[0]?.id === member.id) return null
    return change(tx)
  })
}
