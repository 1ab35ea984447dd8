import { Fault, type Member, type Token, type Workspace } from '@docent/contract'
import type { Alert } from '../access/accounts/alert.ts'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/chat-keys.ts'
import { type FindMember, type FindWorkspace, hasRole, requireConfirmed } from '../access/managers.ts'
import { makeSecret, secretPrefixes } from '../access/secrets.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'
import type { ManagementTokensTable, TokenRecord } from '../storage/management-tokens.ts'
import type { MemberRecord, MembersTable } from '../storage/members.ts'
import type { WorkspaceRecord, WorkspacesTable } from '../storage/workspaces.ts'
import { page } from './paging.ts'
import type { Route } from './route.ts'
import { parseExpiry, timestamp, timestampOrNull } from './times.ts'

interface Deps {
  workspaces: WorkspacesTable
  members: MembersTable
  managementTokens: ManagementTokensTable
  findWorkspace: FindWorkspace
  findMember: FindMember
  audit: Audit
  alert: Alert
  chatKeys: ChatKeys
  clock: () => number
}

export function workspaceRoutes(route: Route, deps: Deps) {
  const { workspaces, members, managementTokens, findWorkspace, findMember, audit, alert, chatKeys, clock } = deps

  route('POST /api/manage/v1/workspaces', async ({ caller, body, request }) => {
    const workspace: WorkspaceRecord = {
      id: randomId('ws'),
      name: body.name.trim(),
      plan: body.plan ?? 'free',
      dailyLimit: body.daily_limit ?? null,
      createdAt: clock(),
    }
    await workspaces.insert(workspace)
    await audit.did({ caller, request }, workspace.id, 'workspace.created', workspace.name)
    return toWorkspace(workspace)
  })

  route('GET /api/manage/v1/workspaces', async ({ caller, query }) => {
    if (caller.kind === 'member') {
      const own = await findWorkspace(caller, caller.workspaceId)
      return page(query, async (after) => (own.id > after ? [own] : []), toWorkspace)
    }
    return page(query, workspaces.list, toWorkspace)
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}', async ({ caller, params }) =>
    toWorkspace(await findWorkspace(caller, params.workspaceId)),
  )

  route('PATCH /api/manage/v1/workspaces/{workspaceId}', async ({ caller, params, body, request }) => {
    const before = await findWorkspace(caller, params.workspaceId)
    const { id } = before
    await workspaces.update(id, { name: body.name?.trim(), plan: body.plan, dailyLimit: body.daily_limit })
    chatKeys.forget()
    const after = await findWorkspace(caller, id)
    await audit.did({ caller, request }, id, 'workspace.changed', changesOf(before, after))
    return toWorkspace(after)
  })

  route('POST /api/manage/v1/workspaces/{workspaceId}/members', async ({ caller, params, body, request }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    if (body.role === 'owner') requireConfirmed(caller)
    const member: MemberRecord = {
      workspaceId: workspace.id,
      id: randomId('mem'),
      email: body.email.toLowerCase(),
      name: body.name.trim(),
      role: body.role,
      createdAt: clock(),
      accountId: null,
      twoFactor: false,
    }
    try {
      await members.insert(member)
    } catch (error) {
      if (error instanceof StorageError && error.kind === 'unique') throw new Fault('already_exists')
      throw error
    }
    await audit.did({ caller, request }, workspace.id, 'member.added', `${member.email} (${member.role})`)
    if (member.role === 'owner') alert({ caller, request }, 'owner_made', { target: member.email })
    return toMember(member)
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/members', async ({ caller, params, query }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    return page(
      query,
      (after, limit) => members.list(workspace.id, after, limit),
      hasRole(caller, 'owner') ? toMember : toMemberForAll,
    )
  })

  route(
    'PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}',
    async ({ caller, params, body, request }) => {
      const member = await findMember(caller, params)
      const isMadeOwner = body.role === 'owner' && member.role !== 'owner'
      if (isMadeOwner) requireConfirmed(caller)
      const changed = await members.update(member, { name: body.name?.trim(), role: body.role })
      if (!changed) throw new Fault('last_owner')
      const after = await findMember(caller, params)
      const change = member.role === after.role ? '' : `: ${member.role} → ${after.role}`
      await audit.did({ caller, request }, member.workspaceId, 'member.changed', member.email + change)
      if (isMadeOwner) alert({ caller, request }, 'owner_made', { target: member.email })
      return toMember(after)
    },
  )

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', async ({ caller, params, request }) => {
    const member = await findMember(caller, params)
    if (!(await members.remove(member))) throw new Fault('last_owner')
    await audit.did({ caller, request }, member.workspaceId, 'member.removed', member.email)
    return undefined
  })

  route(
    'POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens',
    async ({ caller, params, body, request }) => {
      const member = await findMember(caller, params)
      requireConfirmed(caller)
      const { secret, hash, lastFour } = makeSecret('manage')
      const token: TokenRecord = {
        workspaceId: member.workspaceId,
        memberId: member.id,
        id: randomId('tok'),
        name: body.name.trim(),
        hash,
        lastFour,
        createdAt: clock(),
        expiresAt: parseExpiry(body.expires_at, clock()) ?? null,
      }
      await managementTokens.insert(token)
      await audit.did({ caller, request }, member.workspaceId, 'token.created', `${token.name} of ${member.email}`)
      const account = member.accountId === null ? null : member.email
      alert({ caller, request }, 'token_created', { account, target: `${token.name} of ${member.email}` })
      return { ...toToken(token), token: secret }
    },
  )

  route('GET /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens', async ({ caller, params, query }) => {
    const member = await findMember(caller, params)
    return page(query, (after, limit) => managementTokens.list(member.workspaceId, member.id, after, limit), toToken)
  })

  route(
    'DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens/{tokenId}',
    async ({ caller, params, request }) => {
      const member = await findMember(caller, params)
      if (!(await managementTokens.remove(member.workspaceId, member.id, params.tokenId))) throw new Fault('not_found')
      await audit.did({ caller, request }, member.workspaceId, 'token.revoked', `${params.tokenId} of ${member.email}`)
      return undefined
    },
  )
}

function toWorkspace(workspace: WorkspaceRecord): Workspace {
  const { id, name, plan, dailyLimit, createdAt } = workspace
  return { id, name, plan, daily_limit: dailyLimit, created_at: timestamp(createdAt) }
}

/** "plan: free → business". */
function changesOf(before: WorkspaceRecord, after: WorkspaceRecord): string {
  const names = { name: 'name', plan: 'plan', dailyLimit: 'daily limit' } as const
  return (Object.keys(names) as (keyof typeof names)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => `${names[field]}: ${before[field] ?? 'default'} → ${after[field] ?? 'default'}`)
    .join(', ')
}

function toMember(member: MemberRecord): Member {
  return { ...toMemberForAll(member), two_factor: member.twoFactor }
}

/** Who can be broken into more easily is nobody's business but the owners'. */
function toMemberForAll({ id, email, name, role, createdAt, accountId }: MemberRecord): Member {
  return { id, email, name, role, has_account: accountId !== null, created_at: timestamp(createdAt) }
}

function toToken(token: TokenRecord): Token {
  return {
    id: token.id,
    name: token.name,
    prefix: secretPrefixes.manage,
    last_four: token.lastFour,
    created_at: timestamp(token.createdAt),
    expires_at: timestampOrNull(token.expiresAt),
  }
}
