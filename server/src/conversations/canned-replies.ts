// Replies that a team saves for reuse.
import { type BodyOf, Fault, type Routes } from '@docent/contract'
import type { Audit } from '../access/audit.ts'
import type { FindWorkspace, ManagerCall } from '../access/managers.ts'
import { randomId } from '../ids.ts'
import type { CannedRepliesTable, CannedReplyRecord } from '../storage/canned-replies.ts'
import { StorageError } from '../storage/database.ts'

const MOST = 500

export interface CannedReplyDeps {
  cannedReplies: CannedRepliesTable
  findWorkspace: FindWorkspace
  audit: Pick<Audit, 'record'>
  clock: () => number
}

export async function createCannedReply(
  { cannedReplies, findWorkspace, audit, clock }: CannedReplyDeps,
  call: ManagerCall,
  workspaceId: string,
  { shortcut, text }: BodyOf<Routes['POST /api/manage/v1/workspaces/{workspaceId}/canned-replies']>,
): Promise<CannedReplyRecord> {
  const workspace = await findWorkspace(call.caller, workspaceId)
  if ((await cannedReplies.count(workspace.id)) >= MOST) throw new Fault('too_many_canned_replies')
  const reply = { workspaceId: workspace.id, id: randomId('can'), shortcut, text, updatedAt: clock() }
  await cannedReplies.insert(reply).catch(rethrowTaken)
  await audit.record(call, workspace.id, 'canned_reply.created', shortcut)
  return reply
}

export async function updateCannedReply(
  deps: CannedReplyDeps,
  call: ManagerCall,
  ids: { workspaceId: string; replyId: string },
  change: BodyOf<Routes['PATCH /api/manage/v1/workspaces/{workspaceId}/canned-replies/{replyId}']>,
): Promise<CannedReplyRecord> {
  const reply = await find(deps, call, ids)
  const fields = { ...change, updatedAt: deps.clock() }
  await deps.cannedReplies.update(reply, fields).catch(rethrowTaken)
  await deps.audit.record(call, reply.workspaceId, 'canned_reply.changed', change.shortcut ?? reply.shortcut)
  return { ...reply, ...fields }
}

export async function removeCannedReply(
  deps: CannedReplyDeps,
  call: ManagerCall,
  ids: { workspaceId: string; replyId: string },
): Promise<void> {
  const reply = await find(deps, call, ids)
  await deps.cannedReplies.remove(reply)
  await deps.audit.record(call, reply.workspaceId, 'canned_reply.deleted', reply.shortcut)
}

async function find(
  { cannedReplies, findWorkspace }: CannedReplyDeps,
  { caller }: ManagerCall,
  { workspaceId, replyId }: { workspaceId: string; replyId: string },
): Promise<CannedReplyRecord> {
  const workspace = await findWorkspace(caller, workspaceId)
  const reply = await cannedReplies.find(workspace.id, replyId)
  if (!reply) throw new Fault('not_found')
  return reply
}

function rethrowTaken(error: unknown): never {
  throw error instanceof StorageError && error.kind === 'unique' ? new Fault('already_exists') : error
}
