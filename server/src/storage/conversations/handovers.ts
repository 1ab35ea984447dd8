// Whether the bot or a person handles a conversation. Each transition is one compare-and-set statement, so that of two
// people who act at once only one succeeds.
import type { HandoverStatus } from '@docent/contract'
import type { Queries, Row } from '../database.ts'
import { activityCountStatement } from '../insights/activity.ts'

export type HandoverReason = 'visitor_request' | 'low_confidence' | 'rule'

export interface HandoverRecord {
  status: HandoverStatus
  reason: HandoverReason | null
  agentId: string | null
  agentName: string | null
  requestedAt: number | null
  acceptedAt: number | null
  closedAt: number | null
}

export interface HandoverRow extends Row {
  handover_status: HandoverStatus
  handover_reason: HandoverReason | null
  agent_id: string | null
  agent_name: string | null
  requested_at: number | null
  accepted_at: number | null
  closed_at: number | null
}

export const handoverColumns =
  'handover_status, handover_reason, agent_id, agent_name, requested_at, accepted_at, closed_at'

/**
 * Writes the new state unless the old state or agent has changed; returns whether it did. Waiting and active
 * handovers are open in the inbox.
 */
export async function updateHandover(
  tx: Queries,
  conversation: { botId: string; id: string },
  { status: from, agentId: fromAgent }: Pick<HandoverRecord, 'status' | 'agentId'>,
  to: HandoverRecord,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE conversations SET handover_status = $3, handover_reason = $4, agent_id = $5, agent_name = $6,
       requested_at = $7, accepted_at = $8, closed_at = $9,
       inbox_status = CASE WHEN $3 <> 'closed' THEN 'open' WHEN inbox_status = 'resolved' THEN 'resolved' ELSE 'bot' END, snoozed_until = NULL,
       assignee_id = CASE WHEN $3 = 'active' THEN $5 ELSE assignee_id END,
       assignee_name = CASE WHEN $3 = 'active' THEN $6 ELSE assignee_name END
     WHERE bot_id = $1 AND id = $2 AND handover_status = $10 AND coalesce(agent_id, '') = $11 RETURNING id`,
    [
      conversation.botId,
      conversation.id,
      to.status,
      to.reason,
      to.agentId,
      to.agentName,
      to.requestedAt,
      to.acceptedAt,
      to.closedAt,
      from,
      fromAgent ?? '',
    ],
  )
  if (rows.length === 0) return false
  // A transfer between agents is the same handover.
  const isAccepted = to.status === 'active' && from !== 'active'
  const counted = { ...conversation, channel: 'widget' as const }
  if (to.status === 'requested')
    await count(tx, activityCountStatement(counted, to.requestedAt ?? 0, { handoversRequested: 1 }))
  if (isAccepted) await count(tx, activityCountStatement(counted, to.acceptedAt ?? 0, { handoversAccepted: 1 }))
  return true
}

const count = (tx: Queries, { sql, values }: ReturnType<typeof activityCountStatement>) => tx.query(sql, values)

export function handoverFromRow(row: HandoverRow): HandoverRecord {
  return {
    status: row.handover_status,
    reason: row.handover_reason,
    agentId: row.agent_id,
    agentName: row.agent_name,
    requestedAt: row.requested_at,
    acceptedAt: row.accepted_at,
    closedAt: row.closed_at,
  }
}
