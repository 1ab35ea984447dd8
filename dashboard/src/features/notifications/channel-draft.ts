// A notification channel as edited in the form.
import type { ChannelKind, NotificationChannel, NotificationType } from '@docent/contract'
import { namesOf } from '../../text/names-of.ts'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { arePeriodsValid, readPeriods, type WeeklyPeriod, writePeriods } from '../handover/handover-draft.ts'

export const kinds = namesOf<ChannelKind>({ email: true, slack: true, teams: true, discord: true, generic: true })
export const eventTypes = namesOf<NotificationType>({
  'lead.created': true,
  'handover.requested': true,
  'handover.waiting': true,
})

export interface ChannelDraft {
  kind: ChannelKind
  name: string
  url: string
  recipients: string
  events: string[]
  waitingMinutes: number
  isDigest: boolean
  digestAt: string
  timezone: string
  quietHours: WeeklyPeriod[]
  includeDetails: boolean
}

export function readChannel(channel: NotificationChannel | null, first: ChannelKind): ChannelDraft {
  return {
    kind: channel?.kind ?? first,
    name: channel?.name ?? '',
    url: '',
    recipients: channel?.recipients.join('\n') ?? '',
    events: [...(channel?.event_types ?? eventTypes)],
    waitingMinutes: channel?.waiting_minutes ?? 10,
    isDigest: channel?.digest_at != null,
    digestAt: channel?.digest_at ?? '08:00',
    timezone: channel?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    quietHours: readPeriods(channel?.quiet_hours ?? []),
    includeDetails: channel?.include_details ?? true,
  }
}

export function writeChannel(draft: ChannelDraft) {
  const { kind, name, url, recipients, events, isDigest, digestAt, quietHours } = draft
  return {
    ...(name.trim() ? { name: name.trim() } : {}),
    ...(kind === 'email' ? { recipients: splitLines(recipients) } : url.trim() ? { url: withScheme(url) } : {}),
    event_types: eventTypes.filter((each) => events.includes(each)),
    waiting_minutes: draft.waitingMinutes,
    digest_at: isDigest ? digestAt : null,
    timezone: draft.timezone,
    quiet_hours: isDigest ? [] : writePeriods(quietHours),
    include_details: draft.includeDetails,
  }
}

export function isChannelComplete({ events, isDigest, digestAt, quietHours }: ChannelDraft): boolean {
  return events.length > 0 && (isDigest ? digestAt !== '' : arePeriodsValid(quietHours))
}
