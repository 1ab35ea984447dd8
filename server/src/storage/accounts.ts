// Accounts, and the writes that change them together with their tokens, sessions and memberships.
import type { Role, TeamLanguage } from '@docent/contract'
import { type Database, first, makeFromRow, type Queries, type Stored } from './database.ts'
import { MAKER_IS_OWNER } from './links.ts'

export interface AccountRecord {
  id: string
  /** Lower case. */
  email: string
  name: string
  passwordHash: string
  /** False: the password was set to a random value nobody knows. */
  hasPassword: boolean
  /** Whether the person has shown that the address is theirs. */
  isEmailProven: boolean
  /** Linked to an OpenID subject. */
  sso: boolean
  instanceOwner: boolean
  /** Of the dashboard, when it was last opened. Null: not known. */
  language: TeamLanguage | null
  /** Sealed. Null: no second factor. */
  secondFactor: string | null
  /** Sealed. Set up, but not yet confirmed with a code. */
  pendingSecondFactor: string | null
  createdAt: number
}

export type NewAccount = Pick<AccountRecord, 'id' | 'email' | 'name' | 'passwordHash' | 'createdAt'>

interface NewMembership {
  workspaceId: string
  memberId: string
  role: Role
}

const fromRow = makeFromRow<AccountRecord>({
  hasPassword: 'flag',
  isEmailProven: 'flag',
  sso: 'flag',
  instanceOwner: 'flag',
})

const SELECT = `SELECT *, CASE WHEN verified_email = email THEN 1 ELSE 0 END AS is_email_proven,
  CASE WHEN oidc_subject IS NULL THEN 0 ELSE 1 END AS sso FROM accounts`

export type AccountsTable = ReturnType<typeof openAccountsTable>

export function openAccountsTable(database: Database) {
  return {
    async findByEmail(email: string) {
      const row = await first(database.query<Stored<AccountRecord>>(`${SELECT} WHERE email = $1`, [email]))
      return row && fromRow(row)
    },

    async find(id: string) {
      const row = await first(database.query<Stored<AccountRecord>>(`${SELECT} WHERE id = $1`, [id]))
      return row && fromRow(row)
    },

    async findBySubject(subject: string) {
      const row = await first(database.query<Stored<AccountRecord>>(`${SELECT} WHERE oidc_subject = $1`, [subject]))
      return row && fromRow(row)
    },

    insertFromOidc: (account: NewAccount, subject: string) =>
      database.transaction(async (tx) => {
        await insertAccount(tx, account, false)
        await tx.query(
          'UPDATE accounts SET oidc_subject = $2, verified_email = email, has_password = 0 WHERE id = $1',
          [account.id, subject],
        )
      }),

    /**
     * For a person whose address the provider has verified. The first link ends every other way in: whoever created the
     * account may not own the address. 'taken': linked to another subject that has proven it, or the address has changed.
     */
    linkSubject: ({ id, email }: AccountRecord, subject: string, passwordHash: string) =>
      database.transaction(async (tx): Promise<'linked' | 'was linked' | 'taken'> => {
        const linkedRows = await tx.query(
          `UPDATE accounts SET oidc_subject = $3, verified_email = email
           WHERE id = $1 AND email = $2
             AND (oidc_subject IS NULL OR oidc_subject <> $3 AND (verified_email IS NULL OR verified_email <> email))
           RETURNING id`,
          [id, email, subject],
        )
        if (linkedRows.length === 0) {
          const same = await tx.query('SELECT id FROM accounts WHERE id = $1 AND oidc_subject = $2', [id, subject])
          return same.length > 0 ? 'was linked' : 'taken'
        }
        await setPassword(tx, id, passwordHash, '')
        await tx.query('UPDATE accounts SET has_password = 0 WHERE id = $1', [id])
        await endSecondFactor(tx, id)
        await revokeTokens(tx, id)
        return 'linked'
      }),

    /** Ends all other sessions. False: not linked, or the account has no known password. */
    unlinkSubject: (id: string, keptSessionId: string) =>
      database.transaction(async (tx) => {
        const unlinkedRows = await tx.query(
          `UPDATE accounts SET oidc_subject = NULL WHERE id = $1 AND oidc_subject IS NOT NULL AND has_password = 1
           RETURNING id`,
          [id],
        )
        if (unlinkedRows.length === 0) return false
        await tx.query('DELETE FROM sessions WHERE account_id = $1 AND id <> $2', [id, keptSessionId])
        return true
      }),

    async hasInstanceOwner() {
      const rows = await database.query('SELECT id FROM accounts WHERE instance_owner = 1')
      return rows.length > 0
    },

    async findInstanceOwner() {
      const row = await first(database.query<Stored<AccountRecord>>(`${SELECT} WHERE instance_owner = 1`))
      return row && fromRow(row)
    },

    /** Consumes the set-up token and creates the instance owner. False: the token is invalid. */
    setUp: (hash: string, account: NewAccount, membership: NewMembership) =>
      database.transaction(async (tx) => {
        const usedTokens = await tx.query(
          `DELETE FROM link_tokens WHERE hash = $1 AND purpose = 'setup' AND expires_at > $2 RETURNING hash`,
          [hash, account.createdAt],
        )
        if (usedTokens.length === 0) return false
        await tx.query(`DELETE FROM link_tokens WHERE purpose = 'setup'`)
        await insertAccount(tx, account, true)
        await join(tx, account, membership)
        await tx.query(`UPDATE members SET role = 'owner' WHERE workspace_id = $1 AND account_id = $2`, [
          membership.workspaceId,
          account.id,
        ])
        return true
      }),

    /** Consumes an invitation; creates the account if `isNew`. False: the invitation is no longer valid. */
    acceptInvitation: (hash: string, account: NewAccount, isNew: boolean, memberId: string, now: number) =>
      database.transaction(async (tx) => {
        const [invitation] = await tx.query<{ workspaceId: string; role: Role }>(
          `DELETE FROM invitations WHERE hash = $1 AND email = $2 AND expires_at > $3 AND ${MAKER_IS_OWNER}
           RETURNING workspace_id, role`,
          [hash, account.email, now],
        )
        if (!invitation) return false
        // Never demote an owner: becoming one took a confirmation, accepting an invitation does not.
        const [member] = await tx.query<{ role: Role }>(
          'SELECT role FROM members WHERE workspace_id = $1 AND email = $2',
          [invitation.workspaceId, account.email],
        )
        if (member?.role === 'owner' && invitation.role !== 'owner') return false
        if (isNew) await insertAccount(tx, account, false)
        else if (!(await holdEmail(tx, account))) return false
        await join(tx, account, { memberId, workspaceId: invitation.workspaceId, role: invitation.role })
        // A reset link created by one workspace's owner must not open an account that has joined another.
        await tx.query('DELETE FROM link_tokens WHERE account_id = $1', [account.id])
        return true
      }),

    async setLanguage(id: string, language: TeamLanguage) {
      await database.write('UPDATE accounts SET language = $2 WHERE id = $1', [id, language])
    },

    async rename(id: string, name: string) {
      await database.write('UPDATE accounts SET name = $2 WHERE id = $1', [id, name])
    },

    /** By another account, or by another member of one of the account's workspaces. */
    async isEmailTaken(id: string, email: string) {
      const rows = await database.query(
        `SELECT id FROM accounts WHERE email = $2 AND id <> $1
         UNION SELECT id FROM members WHERE email = $2 AND (account_id IS NULL OR account_id <> $1)
           AND workspace_id IN (SELECT workspace_id FROM members WHERE account_id = $1)`,
        [id, email],
      )
      return rows.length > 0
    },

    /** To an address that an owner vouches for. Ends all sessions. */
    changeEmail: (id: string, email: string) => database.transaction((tx) => changeEmail(tx, id, email, '')),

    /** Consumes the link that was sent to a new address, and returns the address; null: the link is not valid. */
    confirmEmail: (hash: string, id: string, keptSessionId: string, now: number) =>
      database.transaction(async (tx) => {
        const [token] = await tx.query<{ email: string }>(
          `DELETE FROM link_tokens WHERE hash = $1 AND purpose = 'email' AND account_id = $2 AND expires_at > $3
           RETURNING email`,
          [hash, id, now],
        )
        if (!token) return null
        await changeEmail(tx, id, token.email, keptSessionId)
        await proveEmail(tx, id)
        return token.email
      }),

    /** The provider has verified the address. */
    proveEmail: (id: string) => database.transaction((tx) => proveEmail(tx, id)),

    /** The address that the provider has verified, instead of one that nobody has proven. */
    replaceUnprovenEmail: (id: string, email: string) =>
      database.transaction(async (tx) => {
        await tx.query('UPDATE accounts SET email = $2, verified_email = $2 WHERE id = $1', [id, email])
        await tx.query('UPDATE members SET email = $2 WHERE account_id = $1', [id, email])
      }),

    /** Ends all other sessions and pending reset links. */
    changePassword: (id: string, passwordHash: string, keptSessionId: string) =>
      database.transaction((tx) => setPassword(tx, id, passwordHash, keptSessionId)),

    /**
     * Consumes a reset token, ends all sessions and, if asked, revokes management tokens. A mailed one proves the address
     * and ends every other way in. Null: no longer valid.
     */
    resetPassword: (hash: string, id: string, passwordHash: string, revokesTokens: boolean, now: number) =>
      database.transaction(async (tx) => {
        const [token] = await tx.query<{ mailed: number; createdBy: string | null }>(
          `DELETE FROM link_tokens WHERE hash = $1 AND purpose = 'reset' AND account_id = $2 AND expires_at > $3
             AND ${MAKER_IS_OWNER} RETURNING mailed, created_by`,
          [hash, id, now],
        )
        if (!token) return null
        await setPassword(tx, id, passwordHash, '')
        if (revokesTokens) await revokeTokens(tx, id)
        const isMailed = token.mailed === 1
        if (isMailed) {
          await tx.query('UPDATE accounts SET oidc_subject = NULL WHERE id = $1', [id])
          await endSecondFactor(tx, id)
          await proveEmail(tx, id)
        }
        const [maker] = await tx.query<{ email: string }>('SELECT email FROM members WHERE id = $1', [token.createdBy])
        return { isMailed, maker: maker?.email ?? null }
      }),
  }
}

async function insertAccount(tx: Queries, account: NewAccount, instanceOwner: boolean) {
  await tx.query(
    `INSERT INTO accounts (id, email, name, password_hash, instance_owner, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [account.id, account.email, account.name, account.passwordHash, instanceOwner ? 1 : 0, account.createdAt],
  )
}

/** Locks the row until the transaction ends. False: the address has changed. */
async function holdEmail(tx: Queries, { id, email }: NewAccount): Promise<boolean> {
  const sql = 'UPDATE accounts SET email = email WHERE id = $1 AND email = $2 RETURNING id'
  return (await tx.query(sql, [id, email])).length > 0
}

/** An existing member with this address keeps its id, name and role. */
async function join(tx: Queries, account: NewAccount, { workspaceId, memberId, role }: NewMembership) {
  await tx.query(
    `INSERT INTO members (workspace_id, id, email, name, role, created_at, account_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (workspace_id, email) DO UPDATE SET account_id = $7`,
    [workspaceId, memberId, account.email, account.name, role, account.createdAt, account.id],
  )
}

/** Everywhere, and ends every other way into the account. */
async function changeEmail(tx: Queries, id: string, email: string, keptSessionId: string) {
  await tx.query('UPDATE accounts SET email = $2, oidc_subject = NULL WHERE id = $1', [id, email])
  await tx.query('UPDATE members SET email = $2 WHERE account_id = $1', [id, email])
  await tx.query('DELETE FROM sessions WHERE account_id = $1 AND id <> $2', [id, keptSessionId])
  await tx.query('DELETE FROM link_tokens WHERE account_id = $1', [id])
  await revokeTokens(tx, id)
}

async function proveEmail(tx: Queries, id: string) {
  await tx.query('UPDATE accounts SET verified_email = email WHERE id = $1', [id])
}

async function setPassword(tx: Queries, id: string, passwordHash: string, keptSessionId: string) {
  await tx.query('UPDATE accounts SET password_hash = $2, has_password = 1 WHERE id = $1', [id, passwordHash])
  await tx.query('DELETE FROM sessions WHERE account_id = $1 AND id <> $2', [id, keptSessionId])
  await tx.query('DELETE FROM link_tokens WHERE account_id = $1', [id])
}

async function revokeTokens(tx: Queries, id: string) {
  await tx.query(
    `DELETE FROM management_tokens WHERE (workspace_id, member_id) IN (
       SELECT workspace_id, id FROM members WHERE account_id = $1)`,
    [id],
  )
}

// Second factors and recovery codes. The statement that consumes a code enforces single use.

export function openSecondFactorsTable(database: Database) {
  return {
    async begin(accountId: string, sealedSecret: string) {
      await database.write('UPDATE accounts SET pending_second_factor = $2 WHERE id = $1 AND second_factor IS NULL', [
        accountId,
        sealedSecret,
      ])
    },

    /** False when it was confirmed or restarted in the meantime. */
    confirm: (accountId: string, sealedSecret: string, step: number, codeHashes: string[]) =>
      database.transaction(async (tx) => {
        const rows = await tx.query(
          `UPDATE accounts SET second_factor = $2, pending_second_factor = NULL, second_factor_step = $3
           WHERE id = $1 AND pending_second_factor = $2 AND second_factor IS NULL RETURNING id`,
          [accountId, sealedSecret, step],
        )
        if (rows.length === 0) return false
        await replaceCodes(tx, accountId, codeHashes)
        return true
      }),

    /** False when the second factor is off. */
    renewCodes: (accountId: string, codeHashes: string[]) =>
      database.transaction(async (tx) => {
        // A write, so that it waits for a concurrent switch-off.
        const rows = await tx.query(
          'UPDATE accounts SET second_factor = second_factor WHERE id = $1 AND second_factor IS NOT NULL RETURNING id',
          [accountId],
        )
        if (rows.length > 0) await replaceCodes(tx, accountId, codeHashes)
        return rows.length > 0
      }),

    end: (accountId: string, sessions: 'keep sessions' | 'end sessions') =>
      database.transaction(async (tx) => {
        await endSecondFactor(tx, accountId)
        if (sessions === 'end sessions') await tx.query('DELETE FROM sessions WHERE account_id = $1', [accountId])
      }),

    /** False when a code of this step or a later one was already used. */
    async useStep(accountId: string, step: number) {
      const rows = await database.write(
        `UPDATE accounts SET second_factor_step = $2
         WHERE id = $1 AND (second_factor_step IS NULL OR second_factor_step < $2) RETURNING id`,
        [accountId, step],
      )
      return rows.length > 0
    },

    async useRecoveryCode(accountId: string, hash: string) {
      const rows = await database.write(
        'DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2 RETURNING hash',
        [accountId, hash],
      )
      return rows.length > 0
    },
  }
}

async function endSecondFactor(tx: Queries, accountId: string) {
  await tx.query(
    `UPDATE accounts SET second_factor = NULL, pending_second_factor = NULL, second_factor_step = NULL
     WHERE id = $1`,
    [accountId],
  )
  await replaceCodes(tx, accountId, [])
}

async function replaceCodes(tx: Queries, accountId: string, hashes: string[]) {
  await tx.query('DELETE FROM recovery_codes WHERE account_id = $1', [accountId])
  for (const hash of hashes) {
    await tx.query('INSERT INTO recovery_codes (account_id, hash) VALUES ($1, $2)', [accountId, hash])
  }
}
