// Invitations: single-use links to join a workspace.
import { Fault, INVITATION_DAYS, type Role, SCREENS } from '@docent/contract'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { randomId } from '../ids.ts'
import type { NewAccount } from '../storage/accounts.ts'
import { StorageError } from '../storage/database.ts'
import type { InvitationRecord, InvitationsTable, PresentedInvitation } from '../storage/links.ts'
import type { WorkspaceRecord } from '../storage/workspaces.ts'
import type { Audit } from './audit.ts'
import type { CheckCredentials } from './log-in.ts'
import { type Alert, invitationMail } from './mails.ts'
import { type FindWorkspace, type ManagerCall, requireConfirmed } from './managers.ts'
import { type Passwords, requireStrongPassword } from './passwords.ts'
import { ATTEMPT_LIMITS, type Attempts } from './rate-limits.ts'
import { hashSecret, makeLinkToken } from './secrets.ts'
import type { ClientDetails, Sessions, StartedSession } from './sessions.ts'

const LINK_MS = INVITATION_DAYS * DAY_MS

interface Neighbours {
  attempts: Pick<Attempts, 'require'>
  audit: Audit
  alert: Alert
}

interface SentInvitation {
  record: InvitationRecord
  link: string
  sent: boolean
}

export type Invite = (
  call: ManagerCall,
  workspace: WorkspaceRecord,
  input: { email: string; name?: string | undefined; role: Role },
) => Promise<SentInvitation>

export function makeInvite(context: Context, { attempts, audit, alert }: Neighbours): Invite {
  const { storage, config, sendMail, clock, onError } = context
  const { accounts, members, invitations } = storage
  const { baseUrl } = config

  /** The language of who is invited, or else of who invites. */
  async function languageFor(email: string, inviterEmail: string | null) {
    const [invited, inviter] = await Promise.all([
      accounts.findByEmail(email),
      inviterEmail === null ? undefined : accounts.findByEmail(inviterEmail),
    ])
    return invited?.language ?? inviter?.language
  }

  return async (call, workspace, input) => {
    const email = input.email.toLowerCase()
    const member = await members.findByEmail(workspace.id, email)
    if (member?.accountId) throw new Fault('already_exists')
    // An existing member keeps its role, which is changed in the member list.
    const role = member?.role ?? input.role
    if (role === 'owner') requireConfirmed(call.caller)
    // Strangers can be invited, so this must not become a way to send them mail.
    if (sendMail)
      await attempts.require(ATTEMPT_LIMITS.invitationsOf(workspace.id), ATTEMPT_LIMITS.invitationsTo(email))
    const { token, hash } = makeLinkToken()
    const record: InvitationRecord = {
      workspaceId: workspace.id,
      id: randomId('inv'),
      email,
      name: input.name?.trim() ?? null,
      role,
      hash,
      createdBy: call.caller.maker,
      invitedBy: inviter(call),
      createdAt: clock(),
      expiresAt: clock() + LINK_MS,
    }
    await invitations.put(record)
    const link = `${baseUrl}${SCREENS.invitation}#${token}`
    const sent = await mail(link)
    await audit.record(call, workspace.id, 'member.invited', `${record.email} (${record.role})`)
    if (record.role === 'owner') alert(call, 'owner_invited', { target: record.email })
    return { record, link, sent }

    async function mail(link: string): Promise<boolean> {
      if (!sendMail) return false
      const language = await languageFor(email, call.caller.email)
      return sendMail(invitationMail(record, workspace.name, link, language)).then(
        () => true,
        (error) => {
          onError(error)
          return false
        },
      )
    }
  }
}

/** By name and address, of a token only by address; null with ADMIN_TOKEN. */
function inviter({ caller: { person, email } }: ManagerCall): string | null {
  return person ? `${person} (${email})` : email
}

export type ReadInvitation = (token: string) => Promise<PresentedInvitation | undefined>

/** For whoever has the link, before they accept. Undefined: the link is no longer valid. */
export function makeReadInvitation({ storage, clock }: Context): ReadInvitation {
  return (token) => storage.invitations.findPresented(hashSecret(token), clock())
}

interface AcceptNeighbours {
  checkCredentials: CheckCredentials
  passwords: Passwords
  sessions: Pick<Sessions, 'start'>
  audit: Audit
}

interface Acceptance {
  token: string
  name: string
  password: string
  code?: string | undefined
}

export type AcceptInvitation = (input: Acceptance, client: ClientDetails) => Promise<StartedSession>

export function makeAcceptInvitation({ storage, clock }: Context, neighbours: AcceptNeighbours): AcceptInvitation {
  const { accounts, invitations } = storage
  const { checkCredentials, passwords, sessions, audit } = neighbours

  async function accept(input: Acceptance, client: ClientDetails): Promise<StartedSession> {
    const hash = hashSecret(input.token)
    const invitation = await invitations.findPresented(hash, clock())
    if (!invitation) throw new Fault('invalid_link')
    const { email, workspaceId } = invitation
    const isNew = (await accounts.findByEmail(email)) === undefined
    const account = isNew ? await newAccount(email, input) : await checkCredentials({ ...input, email }, client)
    const outcome = await accounts
      .acceptInvitation(hash, account, isNew, randomId('mem'), clock())
      .catch((error: unknown) => {
        if (error instanceof StorageError && error.kind === 'unique') return 'taken' as const
        throw error
      })
    // Another invitation of this address was accepted at the same moment, so there is an account now.
    if (outcome === 'taken') return accept(input, client)
    if (!outcome) throw new Fault('invalid_link')
    const session = await sessions.start(account.id, workspaceId, client)
    await audit.record({ caller: { actor: email }, request: client }, workspaceId, 'member.joined', email)
    return session
  }

  async function newAccount(email: string, { name, password }: Acceptance): Promise<NewAccount> {
    requireStrongPassword(password, email, 'password')
    const passwordHash = await passwords.hash(password)
    return { id: randomId('acc'), email, name: name.trim(), passwordHash, createdAt: clock() }
  }

  return accept
}

export interface WithdrawDeps {
  invitations: Pick<InvitationsTable, 'remove'>
  findWorkspace: FindWorkspace
  audit: Audit
}

export async function withdrawInvitation(
  { invitations, findWorkspace, audit }: WithdrawDeps,
  call: ManagerCall,
  ids: { workspaceId: string; invitationId: string },
): Promise<void> {
  const workspace = await findWorkspace(call.caller, ids.workspaceId)
  const email = await invitations.remove(workspace.id, ids.invitationId)
  if (email === undefined) throw new Fault('not_found')
  await audit.record(call, workspace.id, 'invitation.withdrawn', email)
}
