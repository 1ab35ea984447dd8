// Assigns, resolves, reopens, snoozes and tags a conversation: all or nothing, without overwriting concurrent changes.
import { Fault, type PatchConversation, screenPath, TAGS_PER_CONVERSATION } from '@docent/contract'
import { mentionMail } from '../access/mails.ts'
import { type CountWithin, RateLimited } from '../access/rate-limits.ts'
import { timedId } from '../ids.ts'
import type { OutgoingMail } from '../mail.ts'
import { type Change, recordChanges } from '../storage/conversation-changes.ts'
import { type Queries, retryWhenChanged } from '../storage/database.ts'
import { changeTags, type InboxRecord, type InboxState, type NoteRecord, updateInboxState } from '../storage/inbox.ts'
import type { MembersTable } from '../storage/members.ts'
import { timestamp } from '../timestamps.ts'
import type { ConversationsContext } from './conversations-context.ts'
import { mayStep, stepHandover } from './handover.ts'
import type { Agent, ConversationIds } from './take-over.ts'

export function makeChangeConversation({ storage, live, onEvents, clock }: ConversationsContext) {
  const { inbox, members, deliveries, transaction } = storage

  /** Returns the updated conversation and a description of the changes, null if there were none. */
  return async (ids: ConversationIds, workspaceId: string, agent: Agent, patch: PatchConversation) => {
    const assignee = await assigneeOf(members, workspaceId, agent, patch.assignee_id)
    const result = await retryWhenChanged(async () => {
      const current = await find(ids)
      requireExpected(current, patch)
      requireFewTags(current, patch)
      const next = nextState(current, patch, assignee, clock())
      if (!(await transaction((tx) => write(tx, current, next, patch, agent)))) return null
      const description = describe(current, next, patch)
      if (description) {
        onEvents(ids.botId)
        live.publish({ botId: ids.botId, conversationId: current.id, kind: 'change' })
      }
      const conversation = await find(ids)
      if (
        conversation.handover.status !== current.handover.status ||
        conversation.handover.agentId !== current.handover.agentId
      )
        live.publish({ botId: ids.botId, conversationId: current.id, kind: 'handover' })
      return { conversation, description }
    })
    if (!result) throw new Fault('conversation_changed')
    return result
  }

  async function find({ botId, conversationId, readerId = null }: ConversationIds) {
    const conversation = await inbox.find(botId, conversationId, { readerId, now: clock() })
    if (!conversation) throw new Fault('not_found')
    return conversation
  }

  /** False when the conversation has changed since it was read. */
  async function write(tx: Queries, current: InboxRecord, next: InboxState, patch: PatchConversation, agent: Agent) {
    const { handover } = current
    // First: this update lets only one of two concurrent writers through.
    if (!(await updateInboxState(tx, current, current, next))) return false
    const now = clock()
    if (next.status === 'resolved' && mayStep(handover.status, 'close')) {
      await stepHandover(tx, deliveries, current, handover, { step: 'close' }, now)
    } else if (handover.status === 'active' && next.assignee && next.assignee.id !== handover.agentId) {
      await stepHandover(tx, deliveries, current, handover, { step: 'accept', agent: next.assignee }, now)
    }
    await changeTags(tx, current, patch.add_tags?.map(tidy) ?? [], patch.remove_tags?.map(tidy) ?? [])
    const changes = changesOf(current, next, patch).map((change) => ({ ...change, by: agent.name }))
    await recordChanges(tx, current, changes, now)
    return true
  }
}

/** Undefined: unchanged. */
async function assigneeOf(members: MembersTable, workspaceId: string, agent: Agent, id: string | null | undefined) {
  if (!id) return id === null ? null : undefined
  const member = id === agent.id ? agent : (await members.listAgents(workspaceId)).find((each) => each.id === id)
  if (member) return { id: member.id, name: member.name }
  const message = 'Choose a member who may take conversations.'
  throw new Fault('validation_failed', { details: [{ path: 'assignee_id', message }] })
}

function requireExpected({ assignee, status }: InboxRecord, patch: PatchConversation) {
  const { expected_assignee_id: expectedAssignee, expected_status: expectedStatus } = patch
  if (expectedAssignee !== undefined && (assignee?.id ?? null) !== expectedAssignee)
    throw new Fault('conversation_changed')
  if (expectedStatus !== undefined && status !== expectedStatus) throw new Fault('conversation_changed')
}

function requireFewTags(
  { tags }: InboxRecord,
  { add_tags: tagsToAdd = [], remove_tags: tagsToRemove = [] }: PatchConversation,
) {
  const remainingTags = new Set(tags).difference(new Set(tagsToRemove.map(tidy)))
  if (tagsToAdd.length === 0 || remainingTags.union(new Set(tagsToAdd.map(tidy))).size <= TAGS_PER_CONVERSATION) return
  const message = `A conversation has at most ${TAGS_PER_CONVERSATION} tags.`
  throw new Fault('validation_failed', { details: [{ path: 'add_tags', message }] })
}

function nextState(
  current: InboxRecord,
  patch: PatchConversation,
  assignee: InboxState['assignee'] | undefined,
  now: number,
): InboxState {
  const { snoozed_until: until } = patch
  const snoozedUntil = until === undefined ? current.snoozedUntil : until === null ? null : Date.parse(until)
  if (until && (snoozedUntil === null || snoozedUntil <= now || patch.status === 'resolved')) {
    const message = 'Choose a time in the future, and do not resolve the conversation in the same call.'
    throw new Fault('validation_failed', { details: [{ path: 'snoozed_until', message }] })
  }
  const before = current.status === 'snoozed' ? 'open' : current.status
  // An assigned or snoozed conversation is open.
  const status = patch.status ?? (assignee || until ? 'open' : before)
  return {
    status,
    snoozedUntil: status === 'open' && patch.status === undefined ? snoozedUntil : until ? snoozedUntil : null,
    assignee: assignee === undefined ? current.assignee : assignee,
  }
}

/** What the change does, for the thread; nothing that was so before. */
function changesOf(current: InboxRecord, next: InboxState, patch: PatchConversation): Omit<Change, 'by'>[] {
  const changes: [Change['kind'], string | null][] = []
  const { add_tags: tagsToAdd = [], remove_tags: tagsToRemove = [] } = patch
  const has = (tag: string) => current.tags.includes(tag)
  if (next.assignee?.id !== current.assignee?.id)
    changes.push(next.assignee ? ['assigned', next.assignee.name] : ['unassigned', null])
  if (next.status === 'resolved' && current.status !== 'resolved') changes.push(['resolved', null])
  if (next.status === 'open' && current.status === 'resolved') changes.push(['reopened', null])
  if (next.snoozedUntil !== null && next.snoozedUntil !== current.snoozedUntil)
    changes.push(['snoozed', timestamp(next.snoozedUntil)])
  if (next.snoozedUntil === null && current.snoozedUntil !== null && next.status === 'open')
    changes.push(['woken', null])
  for (const tag of new Set(tagsToRemove.map(tidy))) if (has(tag)) changes.push(['untagged', tag])
  for (const tag of new Set(tagsToAdd.map(tidy))) if (!has(tag)) changes.push(['tagged', tag])
  return changes.map(([kind, value]) => ({ kind, value }))
}

/** For the audit log. */
function describe(current: InboxRecord, next: InboxState, patch: PatchConversation): string | null {
  const before = current.status === 'snoozed' ? 'open' : current.status
  const { add_tags: tagsToAdd = [], remove_tags: tagsToRemove = [] } = patch
  const descriptions = [
    ...(next.assignee?.id === current.assignee?.id
      ? []
      : [next.assignee ? `assigned to ${next.assignee.name}` : 'unassigned']),
    ...(next.status === before ? [] : [next.status]),
    ...(next.snoozedUntil === current.snoozedUntil || next.snoozedUntil === null
      ? []
      : [`snoozed until ${timestamp(next.snoozedUntil)}`]),
    ...(next.snoozedUntil === null && current.snoozedUntil !== null && next.status === 'open' ? ['woken'] : []),
    ...tagsToAdd.map((tag) => `tag ${tidy(tag)}`),
    ...tagsToRemove.map((tag) => `without tag ${tidy(tag)}`),
  ]
  return descriptions.length > 0 ? descriptions.join(', ') : null
}

function tidy(tag: string): string {
  return tag.trim().replace(/\s+/g, ' ')
}

// Until when each side has seen the other's messages.

type MarkSeen = (
  conversation: { botId: string; id: string },
  by: 'visitor' | 'agent',
  until: string | undefined,
) => Promise<void>

export function makeMarkSeen({ storage, live, clock }: ConversationsContext): MarkSeen {
  return async ({ botId, id }, by, requestedUntil) => {
    const until = seenUntil(requestedUntil, clock())
    if (await storage.inboxChanges.markSeen({ botId, id }, by, until))
      live.publish({ botId, conversationId: id, kind: 'seen', by, until })
  }
}

/** Caps the time at now: later messages cannot have been seen. */
export function seenUntil(until: string | undefined, now: number): number {
  return until === undefined ? now : Math.min(Date.parse(until), now)
}

// Notes of the team. Whoever one mentions gets an email, if there is a mail server.

const MAILS_PER_HOUR = { calls: 60, windowMs: 3_600_000 }

export function makeAddNote(context: ConversationsContext, countWithin: CountWithin) {
  const { storage, config, live, sendMail, clock, onError } = context
  const { inbox, members } = storage
  const { baseUrl } = config

  /** Beyond the author's limit the rest get none; the inbox shows them that they are mentioned. */
  async function sendMails(mails: OutgoingMail[], author: string) {
    for (const mail of mails) {
      await countWithin([{ name: `mention mails ${author}`, ...MAILS_PER_HOUR }])
      sendMail?.(mail).catch(onError)
    }
  }

  async function mentionedMembers(workspaceId: string, ids: string[]) {
    if (ids.length === 0) return []
    const all = await members.listNames(workspaceId)
    const matches = all.filter(({ id }) => ids.includes(id))
    if (matches.length === ids.length) return matches
    const message = 'Mention members of this workspace only.'
    throw new Fault('validation_failed', { details: [{ path: 'mentions', message }] })
  }

  return async (
    { botId, id }: InboxRecord,
    workspaceId: string,
    author: Agent,
    { text, mentions = [] }: { text: string; mentions?: string[] },
  ): Promise<NoteRecord> => {
    const mentionees = await mentionedMembers(workspaceId, mentions)
    const now = clock()
    const mentionedNames = mentionees.map(({ id, name }) => ({ id, name }))
    const note = { id: timedId('not', now), text, author: author.name, createdAt: now, mentions: mentionedNames }
    await inbox.addNote(botId, id, note, author.id)
    live.publish({ botId, conversationId: id, kind: 'note' })
    const link = baseUrl + screenPath('inbox', { inboxBotId: botId, conversationId: id })
    // Who has no account yet cannot open it.
    const receivers = mentionees.filter((member) => member.id !== author.id && member.accountId !== null)
    // Not awaited: the note is there, whatever the mail server does.
    const mails = receivers.map((member) => mentionMail(member, author.name, text, link))
    sendMails(mails, `${workspaceId} ${author.id}`).catch((error) => {
      if (!(error instanceof RateLimited)) onError(error)
    })
    return note
  }
}
