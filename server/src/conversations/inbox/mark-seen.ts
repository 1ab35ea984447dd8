// Until when each side has seen the other's messages.
import type { InboxChangesTable } from '../../storage/inbox.ts'
import type { Live } from '../live.ts'

interface Deps {
  inboxChanges: Pick<InboxChangesTable, 'markSeen'>
  live: Pick<Live, 'publish'>
  clock: () => number
}

export type MarkSeen = (
  conversation: { botId: string; id: string },
  by: 'visitor' | 'agent',
  until: string | undefined,
) => Promise<void>

export function createMarkSeen({ inboxChanges, live, clock }: Deps): MarkSeen {
  return async ({ botId, id }, by, wanted) => {
    const until = seenUntil(wanted, clock())
    if (await inboxChanges.markSeen({ botId, id }, by, until))
      live.publish({ botId, conversationId: id, kind: 'seen', by, until })
  }
}

/** Caps the time at now: later messages cannot have been seen. */
export function seenUntil(until: string | undefined, now: number): number {
  return until === undefined ? now : Math.min(Date.parse(until), now)
}
