import { type BodyOf, Fault, NOTIFICATION_CHANNELS_PER_BOT, notificationTypes, type Routes } from '@docent/contract'
import type { Manager } from '../../access/managers.ts'
import { randomId } from '../../ids.ts'
import type { ChannelRecord } from '../../storage/notifications.ts'
import { readSettings } from './channel-settings.ts'
import { readTarget } from './channel-target.ts'
import type { ChannelDeps } from './find-channel.ts'

type Input = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/notification-channels']>

const WAITING_MINUTES = 10
const names = { email: 'Email', slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord', generic: 'Webhook' }

export async function createChannel(deps: ChannelDeps, caller: Manager, botId: string, input: Input) {
  const { channels, secrets, findBot, urlProblem, canSendMail, clock } = deps
  const { kind } = input
  const bot = await findBot(caller, botId)
  if (kind === 'email' && !canSendMail) throw new Fault('email_not_configured')
  const target = await readTarget(kind, input, urlProblem)
  if (target === undefined) {
    const path = kind === 'email' ? 'recipients' : 'url'
    throw new Fault('validation_failed', { details: [{ path, message: 'This field is required.' }] })
  }
  const defaults = { name: names[kind], timezone: 'UTC', quietHours: [], digestAt: null, includeDetails: true }
  const id = randomId('whk')
  const channel: ChannelRecord = {
    ...{ botId: bot.id, id, kind, target: secrets.seal(id, target) },
    eventTypes: input.event_types ?? [...notificationTypes],
    waitingMinutes: input.waiting_minutes ?? WAITING_MINUTES,
    settings: readSettings(input, defaults),
    ...{ notifiedAt: null, failingSince: null, disabledAt: null, disabledReason: null, createdAt: clock() },
  }
  if (!(await channels.insert(channel, NOTIFICATION_CHANNELS_PER_BOT)))
    throw new Fault('too_many_notification_channels')
  return channel
}
