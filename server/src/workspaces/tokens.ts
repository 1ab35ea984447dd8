import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { titleOf } from '../access/audit.ts'
import { type ManagerCall, requireConfirmed } from '../access/managers.ts'
import { makeSecret, parseExpiry } from '../access/secrets.ts'
import { randomId } from '../ids.ts'
import type { TokenRecord } from '../storage/management-tokens.ts'
import type { MemberIds, WorkspaceDeps } from './workspaces.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens']>

/** Returns the secret, only this once. */
export async function createToken(
  { managementTokens, findMember, audit, alert, clock }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds,
  input: Input,
) {
  const { caller } = call
  const member = await findMember(caller, ids)
  requireConfirmed(caller)
  // A token in somebody else's name would outlive the rights of whoever made it.
  if (caller.accountId !== undefined && caller.accountId !== member.accountId)
    throw new Fault('role_required', { message: 'People create management tokens only for themselves.' })
  const { secret, hash, lastFour } = makeSecret('manage')
  const token: TokenRecord = {
    workspaceId: member.workspaceId,
    memberId: member.id,
    id: randomId('tok'),
    name: input.name.trim(),
    hash,
    lastFour,
    createdBy: caller.maker,
    createdAt: clock(),
    expiresAt: parseExpiry(input.expires_at, clock()) ?? null,
  }
  await managementTokens.insert(token)
  const target = `${token.name} of ${member.email}`
  await audit.record(call, member.workspaceId, 'token.created', `${titleOf(token)} of ${member.email}`)
  alert(call, 'token_created', { account: member.accountId === null ? null : member.email, target })
  return { token, secret }
}

export async function revokeToken(
  { managementTokens, findMember, audit }: WorkspaceDeps,
  call: ManagerCall,
  ids: MemberIds & { tokenId: string },
): Promise<void> {
  const member = await findMember(call.caller, ids)
  const token = await managementTokens.remove(member.workspaceId, member.id, ids.tokenId)
  if (!token) throw new Fault('not_found')
  await audit.record(call, member.workspaceId, 'token.revoked', `${titleOf(token)} of ${member.email}`)
}
