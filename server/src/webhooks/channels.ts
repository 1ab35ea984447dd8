// The verbs on notification channels.
import {
  type BodyOf,
  type ChannelKind,
  type ErrorDetail,
  Fault,
  NOTIFICATION_CHANNELS_PER_BOT,
  NOTIFICATION_TYPES,
  type Routes,
} from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import { randomId, timedId } from '../ids.ts'
import { isTimezone } from '../local-time.ts'
import type { UrlProblem } from '../outbound/outbound.ts'
import { deliveryId } from '../storage/deliveries.ts'
import type { ChannelRecord, ChannelSettings } from '../storage/notifications.ts'
import { composeNotification } from './notification.ts'
import { requireCallableUrl, type WebhooksContext } from './webhooks.ts'

interface ChannelIds {
  botId: string
  channelId: string
}

export async function findChannel({ channels, findBot }: WebhooksContext, manager: Manager, ids: ChannelIds) {
  const bot = await findBot(manager, ids.botId)
  const channel = await channels.find(bot.id, ids.channelId)
  if (!channel) throw new Fault('not_found')
  return { bot, channel }
}

type NewChannelInput = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/notification-channels']>

const WAITING_MINUTES = 10
const NAMES = { email: 'Email', slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord', generic: 'Webhook' }

export async function createChannel(deps: WebhooksContext, caller: Manager, botId: string, input: NewChannelInput) {
  const { channels, secrets, findBot, urlProblem, canSendMail, clock } = deps
  const { kind } = input
  const bot = await findBot(caller, botId)
  if (kind === 'email' && !canSendMail) throw new Fault('email_not_configured')
  const target = await readTarget(kind, input, urlProblem)
  if (target === undefined) {
    const path = kind === 'email' ? 'recipients' : 'url'
    throw new Fault('validation_failed', { details: [{ path, message: 'This field is required.' }] })
  }
  const defaults = { name: NAMES[kind], timezone: 'UTC', quietHours: [], digestAt: null, includeDetails: true }
  const id = randomId('whk')
  const channel: ChannelRecord = {
    botId: bot.id,
    id,
    kind,
    target: secrets.seal(id, target),
    eventTypes: input.event_types ?? [...NOTIFICATION_TYPES],
    waitingMinutes: input.waiting_minutes ?? WAITING_MINUTES,
    settings: readSettings(input, defaults),
    notifiedAt: null,
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
    createdAt: clock(),
  }
  if (!(await channels.insert(channel, NOTIFICATION_CHANNELS_PER_BOT)))
    throw new Fault('too_many_notification_channels')
  return channel
}

type ChannelChanges = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}']>

export async function updateChannel(deps: WebhooksContext, caller: Manager, ids: ChannelIds, input: ChannelChanges) {
  const { channels, items, webhooks, switchWebhook, secrets, urlProblem, onChanged } = deps
  const { channel } = await findChannel(deps, caller, ids)
  const { botId, id, kind } = channel
  const target = await readTarget(kind, input, urlProblem)
  await channels.update(botId, id, {
    target: target === undefined ? undefined : secrets.seal(id, target),
    eventTypes: input.event_types,
    waitingMinutes: input.waiting_minutes,
    settings: readSettings(input, channel.settings),
  })
  if (input.enabled === true) await webhooks.enable(botId, id)
  if (input.enabled === false) {
    await switchWebhook.disable(channel)
    await items.removeOf(botId, id)
  }
  onChanged(id)
  return (await findChannel(deps, caller, ids)).channel
}

export async function deleteChannel(deps: WebhooksContext, caller: Manager, ids: ChannelIds) {
  const { channel } = await findChannel(deps, caller, ids)
  await deps.switchWebhook.remove(channel)
  await deps.items.removeOf(channel.botId, channel.id)
  deps.onChanged(channel.id)
  return channel
}

/** Queued and delivered like any other message, ignoring quiet hours. */
export async function sendTestNotification(deps: WebhooksContext, caller: Manager, ids: ChannelIds) {
  const { deliveries, countWithin, baseUrl, onEvents, clock } = deps
  const { bot, channel } = await findChannel(deps, caller, ids)
  if (channel.disabledAt !== null) throw new Fault('notification_channel_disabled')
  await countWithin(manualSendLimits(bot, channel.kind))
  const now = clock()
  const id = timedId('evt', now)
  const payload = JSON.stringify(composeNotification({ id, bot, items: [], includeDetails: false, baseUrl, now }))
  const event = { botId: bot.id, id, type: 'notification' as const, payload, createdAt: now, about: null }
  await deliveries.write([deliveries.toWebhook(event, channel.id)])
  onEvents(bot.id)
  const delivery = await deliveries.find(bot.id, deliveryId(id, channel.id))
  if (!delivery) throw new Fault('not_found')
  return delivery
}

type SettingsInput = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}']>

/** Omitted fields keep their value. */
function readSettings(input: SettingsInput, old: ChannelSettings): ChannelSettings {
  const settings = {
    name: input.name?.trim() ?? old.name,
    timezone: input.timezone ?? old.timezone,
    quietHours: input.quiet_hours ?? old.quietHours,
    digestAt: input.digest_at === undefined ? old.digestAt : input.digest_at,
    includeDetails: input.include_details ?? old.includeDetails,
  }
  if (!isTimezone(settings.timezone)) {
    const message = 'Enter a time zone, such as Europe/Vienna.'
    throw new Fault('validation_failed', { details: [{ path: 'timezone', message }] })
  }
  return settings
}

// A channel's target: email addresses, or the URL of an incoming webhook.

interface TargetInput {
  url?: string | undefined
  recipients?: string[] | undefined
}

/** Hosts that belong to one tool, to detect a URL pasted into the wrong kind of channel. */
const OWN_HOSTS: { kind: ChannelKind; name: string; host: RegExp }[] = [
  { kind: 'slack', name: 'Slack', host: /^hooks\.slack(?:-gov)?\.com$/ },
  { kind: 'discord', name: 'Discord', host: /(?:^|\.)discord(?:app)?\.com$/ },
  { kind: 'teams', name: 'Microsoft Teams', host: /\.(?:webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/ },
]

/** Undefined if the request sets no target. */
async function readTarget(
  kind: ChannelKind,
  { url, recipients }: TargetInput,
  urlProblem: UrlProblem,
): Promise<string | undefined> {
  const details: ErrorDetail[] = []
  if (kind === 'email' && url !== undefined)
    details.push({ path: 'url', message: 'An email channel takes recipients instead of a URL.' })
  if (kind !== 'email' && recipients !== undefined)
    details.push({ path: 'recipients', message: 'Only email channels take recipients.' })
  const owner = url && URL.canParse(url) ? OWN_HOSTS.find(({ host }) => host.test(new URL(url).hostname)) : undefined
  if (owner && kind !== 'generic' && owner.kind !== kind)
    details.push({ path: 'url', message: `This is a ${owner.name} URL.` })
  if (details.length > 0) throw new Fault('validation_failed', { details })
  if (url !== undefined) await requireCallableUrl(url, 'url', urlProblem)
  return kind === 'email' ? recipients?.join(',') : url
}

/** The part of a target that may be shown. */
export function shownTarget(kind: ChannelKind, target: string | undefined) {
  if (kind === 'email') return { recipients: target ? target.split(',') : [], url_hint: null }
  if (!target || !URL.canParse(target)) return { recipients: [], url_hint: null }
  return { recipients: [], url_hint: `${new URL(target).host}/…${target.slice(-4)}` }
}

// Keeps the operator's mail server from being used to spam strangers.

const HOUR_MS = 3_600_000

/** Emails per workspace, across its bots; items beyond the limit wait and are sent together. */
export function workspaceMailLimit(workspaceId: string) {
  return { name: `notification mails ${workspaceId}`, calls: 60, windowMs: HOUR_MS }
}

/** Tests and replays, triggered by hand. */
export function manualSendLimits({ id, workspaceId }: { id: string; workspaceId: string }, kind: ChannelKind) {
  const channelLimit = { name: `test notifications ${id}`, calls: 10, windowMs: HOUR_MS }
  return kind === 'email' ? [channelLimit, workspaceMailLimit(workspaceId)] : [channelLimit]
}
