import type { BodyOf, Routes } from '@docent/contract'
import type { Manager } from '../../access/managers.ts'
import { readSettings } from './channel-settings.ts'
import { readTarget } from './channel-target.ts'
import { type ChannelDeps, type ChannelIds, findChannel } from './find-channel.ts'

type Input = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}']>

export async function updateChannel(deps: ChannelDeps, caller: Manager, ids: ChannelIds, input: Input) {
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

export async function deleteChannel(deps: ChannelDeps, caller: Manager, ids: ChannelIds) {
  const { channel } = await findChannel(deps, caller, ids)
  await deps.switchWebhook.remove(channel)
  await deps.items.removeOf(channel.botId, channel.id)
  deps.onChanged(channel.id)
  return channel
}
