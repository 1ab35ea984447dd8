// Invitations: single-use links to join a workspace.
import { Fault, type Role } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { InvitationRecord, InvitationsTable } from '../../storage/links.ts'
import type { MembersTable } from '../../storage/members.ts'
import type { WorkspaceRecord } from '../../storage/workspaces.ts'
import type { Audit } from '../audit.ts'
import { type ManagerCall, requireConfirmed } from '../managers.ts'
import { limits, type Throttle } from '../sessions/throttle.ts'
import type { Alert } from './alert.ts'
import { makeLinkToken } from './link-token.ts'
import { invitationMail, type SendMail } from './mails.ts'

const LINK_MS = 7 * 86_400_000

interface Deps {
  members: Pick<MembersTable, 'findByEmail'>
  invitations: Pick<InvitationsTable, 'put'>
  throttle: Pick<Throttle, 'require'>
  sendMail: SendMail | null
  audit: Audit
  alert: Alert
  baseUrl: string
  clock: () => number
  onError: (error: unknown) => void
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

export function createInvite(deps: Deps): Invite {
  const { members, invitations, throttle, sendMail, audit, alert, baseUrl, clock, onError } = deps

  return async (call, workspace, input) => {
    const email = input.email.toLowerCase()
    const member = await members.findByEmail(workspace.id, email)
    if (member?.accountId) throw new Fault('already_exists')
    // An existing member keeps its role, which is changed in the member list.
    const role = member?.role ?? input.role
    if (role === 'owner') requireConfirmed(call.caller)
    // Strangers can be invited, so this must not become a way to send them mail.
    if (sendMail) await throttle.require(limits.invitationsOf(workspace.id), limits.invitationsTo(email))
    const { token, hash } = makeLinkToken()
    const record: InvitationRecord = {
      workspaceId: workspace.id,
      id: randomId('inv'),
      email,
      name: input.name?.trim() ?? null,
      role,
      hash,
      createdBy: call.caller.maker,
      createdAt: clock(),
      expiresAt: clock() + LINK_MS,
    }
    await invitations.put(record)
    const link = `${baseUrl}/invitation#${token}`
    const sent = await mail(link)
    await audit.record(call, workspace.id, 'member.invited', `${record.email} (${record.role})`)
    if (record.role === 'owner') alert(call, 'owner_invited', { target: record.email })
    return { record, link, sent }

    async function mail(link: string): Promise<boolean> {
      if (!sendMail) return false
      return sendMail(invitationMail(email, workspace.name, link)).then(
        () => true,
        (error) => {
          onError(error)
          return false
        },
      )
    }
  }
}
