// Keeps the operator's mail server from being used to spam strangers.
import type { ChannelKind } from '@docent/contract'

const HOUR_MS = 3_600_000

/** Emails per workspace, across its bots; items beyond the limit wait and are sent together. */
export function workspaceMailLimit(workspaceId: string) {
  return { name: `notification mails ${workspaceId}`, limit: { calls: 60, lengthMs: HOUR_MS } }
}

/** Tests and replays, triggered by hand. */
export function manualSendLimits({ id, workspaceId }: { id: string; workspaceId: string }, kind: ChannelKind) {
  const own = { name: `test notifications ${id}`, limit: { calls: 10, lengthMs: HOUR_MS } }
  return kind === 'email' ? [own, workspaceMailLimit(workspaceId)] : [own]
}
