// The operator's mail server is not for writing to strangers.
import type { ChannelKind } from '@docent/contract'

const HOUR_MS = 3_600_000

/** Messages by email of all bots of a workspace; what comes beyond waits and is told together. */
export function mailsOf(workspaceId: string) {
  return { name: `notification mails ${workspaceId}`, limit: { calls: 60, lengthMs: HOUR_MS } }
}

/** Tests and replays, which somebody asks for. */
export function sentByHand({ id, workspaceId }: { id: string; workspaceId: string }, kind: ChannelKind) {
  const own = { name: `test notifications ${id}`, limit: { calls: 10, lengthMs: HOUR_MS } }
  return kind === 'email' ? [own, mailsOf(workspaceId)] : [own]
}
