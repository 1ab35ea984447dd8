import { type BodyOf, Fault, type Routes } from '@docent/contract'
import { isTimezone } from '../../local-time.ts'
import type { ChannelSettings } from '../../storage/notifications.ts'

type Input = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}']>

/** Omitted fields keep their value. */
export function readSettings(input: Input, old: ChannelSettings): ChannelSettings {
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
