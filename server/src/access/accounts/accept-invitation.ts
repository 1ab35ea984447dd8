// Accepts an invitation with a new account, or with the existing account of its email address, confirmed by password.
// So claiming somebody else's address first gains nothing.
import { Fault } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { AccountsTable, NewAccount } from '../../storage/accounts.ts'
import { StorageError } from '../../storage/database.ts'
import type { InvitationsTable } from '../../storage/links.ts'
import type { Audit } from '../audit.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { requireStrongPassword } from '../passwords/require-strong-password.ts'
import { hashSecret } from '../secrets.ts'
import type { ClientDetails, Sessions, StartedSession } from '../sessions/sessions.ts'
import type { CheckCredentials } from './check-credentials.ts'

interface Deps {
  accounts: Pick<AccountsTable, 'findByEmail' | 'acceptInvitation'>
  invitations: Pick<InvitationsTable, 'findPresented'>
  checkCredentials: CheckCredentials
  passwords: Passwords
  sessions: Pick<Sessions, 'start'>
  audit: Audit
  clock: () => number
}

interface Acceptance {
  token: string
  name: string
  password: string
  code?: string | undefined
}

export type AcceptInvitation = (input: Acceptance, client: ClientDetails) => Promise<StartedSession>

export function createAcceptInvitation(deps: Deps): AcceptInvitation {
  const { accounts, invitations, checkCredentials, passwords, sessions, audit, clock } = deps

  async function accept(input: Acceptance, client: ClientDetails): Promise<StartedSession> {
    const hash = hashSecret(input.token)
    const invitation = await invitations.findPresented(hash, clock())
    if (!invitation) throw new Fault('invalid_link')
    const { email, workspaceId } = invitation
    const isNew = (await accounts.findByEmail(email)) === undefined
    const account = isNew ? await newAccount(email, input) : await checkCredentials({ ...input, email }, client)
    const joined = await accounts
      .acceptInvitation(hash, account, isNew, randomId('mem'), clock())
      .catch((error: unknown) => {
        if (error instanceof StorageError && error.kind === 'unique') return 'taken' as const
        throw error
      })
    // Another invitation of this address was accepted at the same moment, so there is an account now.
    if (joined === 'taken') return accept(input, client)
    if (!joined) throw new Fault('invalid_link')
    const started = await sessions.start(account.id, workspaceId, client)
    await audit.record({ caller: { actor: email }, request: client }, workspaceId, 'member.joined', email)
    return started
  }

  async function newAccount(email: string, { name, password }: Acceptance): Promise<NewAccount> {
    requireStrongPassword(password, email, 'password')
    const passwordHash = await passwords.hash(password)
    return { id: randomId('acc'), email, name: name.trim(), passwordHash, createdAt: clock() }
  }

  return accept
}
