import { Fault } from '@docent/contract'
import type { Manager } from '../../access/managers.ts'
import { timedId } from '../../ids.ts'
import { deliveryId } from '../../storage/deliveries.ts'
import { composeNotification } from './compose-notification.ts'
import { type ChannelDeps, type ChannelIds, findChannel } from './find-channel.ts'
import { manualSendLimits } from './sending-limits.ts'

/** Queued and delivered like any other message, ignoring quiet hours. */
export async function sendTestNotification(deps: ChannelDeps, caller: Manager, ids: ChannelIds) {
  const { deliveries, countWithin, baseUrl, onEvents, clock } = deps
  const { bot, channel } = await findChannel(deps, caller, ids)
  if (channel.disabledAt !== null) throw new Fault('notification_channel_disabled')
  await countWithin(manualSendLimits(bot, channel.kind))
  const now = clock()
  const id = timedId('evt', now)
  const payload = JSON.stringify(composeNotification({ id, bot, items: [], includeDetails: false, baseUrl, now }))
  const event = { botId: bot.id, id, type: 'notification' as const, payload, createdAt: now, about: null }
  await deliveries.write([deliveries.to(event, channel.id)])
  onEvents(bot.id)
  const written = await deliveries.find(bot.id, deliveryId(id, channel.id))
  if (!written) throw new Fault('not_found')
  return written
}
