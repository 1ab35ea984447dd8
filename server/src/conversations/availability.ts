// Who takes conversations now: members of the bot's team who can log in, are online and within their working hours.

import { type Availability, Fault } from '@docent/contract'
import { makeTtlCache } from '../caching.ts'
import type { Context } from '../context.ts'
import { isOpen, isTimezone, nextOpenings } from '../local-time.ts'
import { type BotRecord, listBotIds } from '../storage/bots.ts'
import { recordChanges } from '../storage/conversation-changes.ts'
import type { Queries } from '../storage/database.ts'
import { assign, countOpen, readAssignee } from '../storage/inbox.ts'
import { type AgentRecord, listAgents } from '../storage/members.ts'
import { lockWorkspace } from '../storage/workspaces.ts'

/** Whether visitors can be handed over now, as of a few seconds ago. */
export type IsSomebodyThere = (bot: BotRecord) => Promise<boolean>

/** When somebody is there again, and in which time zone those hours are set; null: nobody can tell. */
export type FindReturn = (bot: BotRecord) => Promise<{ at: number; timezone: string } | null>

const CACHE = { ttlMs: 5000, maxEntries: 1000 }

export function openAvailability({ storage: { members }, clock }: Context) {
  // Asked for with every message and every opened widget.
  const agentsOf = makeTtlCache<AgentRecord[]>({ ...CACHE, clock })

  const readTeam = async ({ workspaceId, widget: { handover } }: BotRecord) =>
    teamOf(handover.team, (await agentsOf.read(workspaceId, () => members.listAgents(workspaceId))) ?? [])

  const isSomebodyThere: IsSomebodyThere = async (bot) => {
    const { handover } = bot.widget
    const now = clock()
    if (!handover.enabled || !isOpen(handover.hours, now)) return false
    const team = await readTeam(bot)
    // Without people in the team, the instance owner or a program answers through the API.
    return team.length === 0 || team.some((agent) => isAvailable(agent, now))
  }

  const findReturn: FindReturn = async (bot) => {
    const { handover } = bot.widget
    const now = clock()
    if (!handover.enabled) return null
    const team = await readTeam(bot)
    // Who is away within office hours may come back at any time. Away after hours says nothing about the next morning.
    const expected = isOpen(handover.hours, now)
      ? team.filter(({ availability }) => availability.status === 'online')
      : team
    const memberHours = expected.map(({ availability }) => availability.hours)
    const isStaffed = (at: number) => team.length === 0 || memberHours.some((hours) => isOpen(hours, at))
    return (
      [handover.hours, ...memberHours]
        .filter((hours) => hours !== null)
        .flatMap((hours) => nextOpenings(hours, now).map((at) => ({ at, timezone: hours.timezone })))
        .sort((one, other) => one.at - other.at)
        .find(({ at }) => isOpen(handover.hours, at) && isStaffed(at)) ?? null
    )
  }

  return {
    isSomebodyThere,
    findReturn,

    /** A member's own; other nodes notice within seconds. */
    async setAvailability(workspaceId: string, memberId: string, part: Partial<Availability>): Promise<Availability> {
      const { hours } = part
      if (hours && !isTimezone(hours.timezone)) {
        const message = 'Enter a time zone, such as Europe/Vienna.'
        throw new Fault('validation_failed', { details: [{ path: 'hours.timezone', message }] })
      }
      const availability = await members.setAvailability(workspaceId, memberId, part, clock())
      // The instance owner need not be a member.
      if (!availability) throw new Fault('not_found')
      agentsOf.delete(workspaceId)
      return availability
    },
  }
}

/** The people among those who were chosen, or among everyone, when the chosen have all left. */
function teamOf(ids: string[], agents: AgentRecord[]): AgentRecord[] {
  const chosenAgents = agents.filter(({ id }) => ids.includes(id))
  return (chosenAgents.length > 0 ? chosenAgents : agents).filter(({ hasAccount }) => hasAccount)
}

type AvailableAgent = Pick<AgentRecord, 'hasAccount' | 'availability'>

export function isAvailable({ hasAccount, availability }: AvailableAgent, now: number): boolean {
  return hasAccount && availability.status === 'online' && isOpen(availability.hours, now)
}

/**
 * In the transaction of a handover request, if the bot assigns them: to whoever is available with the fewest open
 * conversations. A conversation keeps its assignee unless that member is away.
 */
export async function assignRequest(
  tx: Queries,
  { workspaceId, widget: { handover } }: BotRecord,
  conversation: { botId: string; id: string },
  now: number,
): Promise<void> {
  if (!handover.auto_assign) return
  // Concurrent requests see each other's assignments, and nobody leaves before this one is written.
  await lockWorkspace(tx, workspaceId)
  const agents = await listAgents(tx, workspaceId)
  const assigneeId = await readAssignee(tx, conversation)
  const isAway = agents.some((agent) => agent.id === assigneeId && agent.hasAccount && !isAvailable(agent, now))
  if (assigneeId !== null && !isAway) return
  const available = teamOf(handover.team, agents).filter((agent) => isAvailable(agent, now))
  const open = await countOpen(tx, await listBotIds(tx, workspaceId))
  const next = leastLoaded(available, open)
  if (!next) return
  await assign(tx, conversation, next)
  await recordChanges(tx, conversation, [{ kind: 'assigned', by: null, value: next.name }], now)
}

/** One of them at random, so that nobody always comes first. */
function leastLoaded(agents: AgentRecord[], open: ReadonlyMap<string, number>): AgentRecord | undefined {
  const load = ({ id }: AgentRecord) => open.get(id) ?? 0
  const least = Math.min(...agents.map(load))
  const candidates = agents.filter((agent) => load(agent) === least)
  return candidates[Math.floor(Math.random() * candidates.length)]
}
