import type { Member, Token, Workspace } from '@docent/contract'
import { hasRole } from '../access/managers.ts'
import { secretPrefixes } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import type { TokenRecord } from '../storage/management-tokens.ts'
import type { MemberRecord } from '../storage/members.ts'
import type { WorkspaceRecord } from '../storage/workspaces.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { searchWorkspace } from '../workspaces/search.ts'
import {
  addMember,
  createToken,
  createWorkspace,
  listWorkspaces,
  removeMember,
  revokeToken,
  updateMember,
  updateWorkspace,
} from '../workspaces/workspaces.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function workspaceRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, catalogue }: Pick<Modules, 'access' | 'catalogue'>,
) {
  const { bots, products, workspaceSearch, workspaces, members, managementTokens } = storage
  const { findWorkspace, findMember, audit, alert, chatKeys } = access
  const searched = { bots, products, workspaceSearch, knowledgeOf: catalogue.knowledgeOf }
  const deps = { workspaces, members, managementTokens, findWorkspace, findMember, audit, alert, chatKeys, clock }

  route('GET /api/manage/v1/search', async ({ caller, query }) =>
    searchWorkspace(searched, caller, query.q.trim(), query.bot_id ?? ''),
  )

  route('POST /api/manage/v1/workspaces', async ({ body, ...call }) =>
    toWorkspace(await createWorkspace(deps, call, body)),
  )

  route('GET /api/manage/v1/workspaces', async ({ caller, query }) =>
    page(query, (after, limit) => listWorkspaces(deps, caller, after, limit), toWorkspace),
  )

  route('GET /api/manage/v1/workspaces/{workspaceId}', async ({ caller, params }) =>
    toWorkspace(await findWorkspace(caller, params.workspaceId)),
  )

  route('PATCH /api/manage/v1/workspaces/{workspaceId}', async ({ params, body, ...call }) =>
    toWorkspace(await updateWorkspace(deps, call, params.workspaceId, body)),
  )

  route('POST /api/manage/v1/workspaces/{workspaceId}/members', async ({ params, body, ...call }) =>
    toMember(await addMember(deps, call, params.workspaceId, body)),
  )

  route('GET /api/manage/v1/workspaces/{workspaceId}/members', async ({ caller, params, query }) => {
    const workspace = await findWorkspace(caller, params.workspaceId)
    const shape = hasRole(caller, 'owner') ? toMember : toMemberForAll
    return page(query, (after, limit) => members.list(workspace.id, after, limit), shape)
  })

  route('PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', async ({ params, body, ...call }) =>
    toMember(await updateMember(deps, call, params, body)),
  )

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', async ({ params, ...call }) => {
    await removeMember(deps, call, params)
    return undefined
  })

  route('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens', async ({ params, body, ...call }) => {
    const { token, secret } = await createToken(deps, call, params, body)
    return { ...toToken(token), token: secret }
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens', async ({ caller, params, query }) => {
    const member = await findMember(caller, params)
    return page(query, (after, limit) => managementTokens.list(member.workspaceId, member.id, after, limit), toToken)
  })

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/tokens/{tokenId}', async (incoming) => {
    await revokeToken(deps, incoming, incoming.params)
    return undefined
  })
}

function toWorkspace(workspace: WorkspaceRecord): Workspace {
  const { id, name, plan, dailyLimit, totalDailyLimit, createdAt } = workspace
  const limits = { daily_limit: dailyLimit, total_daily_limit: totalDailyLimit }
  return { id, name, plan, ...limits, created_at: timestamp(createdAt) }
}

function toMember(member: MemberRecord): Member {
  return { ...toMemberForAll(member), two_factor: member.twoFactor }
}

/** Only owners may see who lacks a second factor. */
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
