// The inbox across all bots of a workspace.
import type { Availability, CannedReply } from '@docent/contract'
import { hasRole, type Manager } from '../access/managers.ts'
import type { Context } from '../context.ts'
import { isAvailable } from '../conversations/availability.ts'
import { createCannedReply, removeCannedReply, updateCannedReply } from '../conversations/canned-replies.ts'
import { ALL } from '../conversations/live.ts'
import type { CannedReplyRecord } from '../storage/canned-replies.ts'
import { timestamp } from '../timestamps.ts'
import { filterOf, sendList, sendSignal } from './conversations.ts'
import type { Modules } from './modules.ts'
import type { AccessWatch } from './server/access-watch.ts'
import type { LiveStreams } from './server/event-streams.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

/** For the instance owner, who is no member. */
const ONLINE: Availability = { status: 'online', hours: null }

export function inboxRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, conversations }: Pick<Modules, 'access' | 'conversations'>,
  { streams, accessWatch }: { streams: LiveStreams; accessWatch: AccessWatch },
) {
  const { bots, inbox, inboxChanges, members, savedFilters, cannedReplies } = storage
  const { findWorkspace, audit } = access
  const { setAvailability, agentOf, live } = conversations
  const deps = { cannedReplies, findWorkspace, audit, clock }

  /** The workspace's inbox, and the caller as a reader. */
  async function openInbox(caller: Manager, { workspaceId }: { workspaceId: string }) {
    const { id } = await findWorkspace(caller, workspaceId)
    return { workspaceId: id, me: await agentOf(caller, id) }
  }

  route('GET /api/manage/v1/workspaces/{workspaceId}/conversations', async ({ caller, params, query, reply }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    const all = await bots.listIds(workspaceId)
    const botIds = query.bot_id === undefined ? all : all.filter((id) => id === query.bot_id)
    const view = { readerId: me.id, now: clock() }
    return sendList(query, reply, view, { inbox, botIds, filter: filterOf(query, me.id) })
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/inbox', async ({ caller, params }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    const botIds = await bots.listIds(workspaceId)
    const now = clock()
    const [agents, all, unreadMentions, open, tags] = await Promise.all([
      members.listAgents(workspaceId),
      members.listNames(workspaceId),
      inboxChanges.countUnreadMentions(botIds, me.id),
      inboxChanges.countOpen(botIds),
      inboxChanges.countTags(botIds),
    ])
    // The instance owner may act without being a member.
    const isMissing = hasRole(caller, 'agent') && !agents.some(({ id }) => id === me.id)
    return {
      me: me.id,
      agents: [...agents, ...(isMissing ? [{ ...me, avatar: null, hasAccount: true, availability: ONLINE }] : [])].map(
        (agent) => ({
          id: agent.id,
          name: agent.name,
          avatar: agent.avatar,
          open: open.get(agent.id) ?? 0,
          available: isAvailable(agent, now),
        }),
      ),
      members: all.map(({ id, name }) => ({ id, name })),
      unread_mentions: unreadMentions,
      tags: [...tags].map(([name, conversations]) => ({ name, conversations })).sort(byName),
    }
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/availability', async ({ caller, params }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    return members.findAvailability(workspaceId, me.id)
  })

  route('PUT /api/manage/v1/workspaces/{workspaceId}/availability', async ({ caller, params, body }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    return setAvailability(workspaceId, me.id, body)
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/events', async ({ caller, params, request, reply }) => {
    const { workspaceId } = await openInbox(caller, params)
    const stream = streams.open(reply)
    accessWatch.watch(request, 'viewer', (manager) => findWorkspace(manager, workspaceId), stream)
    // A bot never changes its workspace.
    const owners = new Map<string, Promise<string | undefined>>()
    const ownerOf = (botId: string) => {
      const owner = owners.get(botId) ?? bots.findWorkspaceId(botId).catch(() => undefined)
      owners.set(botId, owner)
      return owner
    }
    const stop = live.subscribe(ALL, (signal) => {
      void ownerOf(signal.botId).then((owner) => {
        if (owner === workspaceId) sendSignal(stream, signal)
        else if (owner === undefined) owners.delete(signal.botId)
      })
    })
    stream.onEnd(stop)
    return reply
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/saved-filters', async ({ caller, params }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    return { filters: await savedFilters.find(workspaceId, me.id) }
  })

  route('PUT /api/manage/v1/workspaces/{workspaceId}/saved-filters', async ({ caller, params, body }) => {
    const { workspaceId, me } = await openInbox(caller, params)
    await savedFilters.replace(workspaceId, me.id, body.filters)
    return { filters: body.filters }
  })

  route('GET /api/manage/v1/workspaces/{workspaceId}/canned-replies', async ({ caller, params, query }) => {
    const { id } = await findWorkspace(caller, params.workspaceId)
    return page(query, (after, limit) => cannedReplies.list(id, after, limit), toCannedReply)
  })

  route('POST /api/manage/v1/workspaces/{workspaceId}/canned-replies', async ({ params, body, ...call }) =>
    toCannedReply(await createCannedReply(deps, call, params.workspaceId, body)),
  )

  route('PATCH /api/manage/v1/workspaces/{workspaceId}/canned-replies/{replyId}', async ({ params, body, ...call }) =>
    toCannedReply(await updateCannedReply(deps, call, params, body)),
  )

  route('DELETE /api/manage/v1/workspaces/{workspaceId}/canned-replies/{replyId}', async ({ params, ...call }) => {
    await removeCannedReply(deps, call, params)
    return undefined
  })
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name.localeCompare(other.name)
}

function toCannedReply({ id, shortcut, text, updatedAt }: CannedReplyRecord): CannedReply {
  return { id, shortcut, text, updated_at: timestamp(updatedAt) }
}
