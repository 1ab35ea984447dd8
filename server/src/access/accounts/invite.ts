// Invitations: a link that lets somebody join a workspace, once.
import { Fault, type Role } from '@docent/contract'
import { randomId } from '../../ids.ts'
import type { InvitationRecord, InvitationsTable } from '../../storage/invitations.ts'
import type { MembersTable } from '../../storage/members.ts'
import type { WorkspaceRecord } from '../../storage/workspaces.ts'
import { makeLinkToken } from './link-token.ts'
import { invitationMail, type SendMail } from './mails.ts'

const LINK_MS = 7 * 86_400_000

interface Deps {
  members: Pick<MembersTable, 'findByEmail'>
  invitations: Pick<InvitationsTable, 'put'>
  sendMail: SendMail | null
  baseUrl: string
  clock: () => number
  onError: (error: unknown) => void
}

interface Invited {
  record: InvitationRecord
  link: string
  sent: boolean
}

export type Invite = (
  workspace: WorkspaceRecord,
  input: { email: string; name?: string | undefined; role: Role },
  /** Told the role that is given in the end; throws where it must not be. */
  requireRole: (role: Role) => void,
) => Promise<Invited>

export function inviter({ members, invitations, sendMail, baseUrl, clock, onError }: Deps): Invite {
  return async (workspace, input, requireRole) => {
    const email = input.email.toLowerCase()
    const member = await members.findByEmail(workspace.id, email)
    if (member?.accountId) throw new Fault('already_exists')
    // A member who cannot log in yet keeps the role; it is changed with the member.
    const role = member?.role ?? input.role
    requireRole(role)
    const { token, hash } = makeLinkToken()
    const record: InvitationRecord = {
      workspaceId: workspace.id,
      id: randomId('inv'),
      email,
      name: input.name?.trim() ?? null,
      role,
      hash,
      createdAt: clock(),
      expiresAt: clock() + LINK_MS,
    }
    await invitations.put(record)
    const link = `${baseUrl}/invitation#${token}`
    return { record, link, sent: await mail(link) }

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
