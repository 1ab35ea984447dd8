// Selects conversations by what the figures count in a period, so that each figure links to its conversations.
import type { Happening } from '@docent/contract'
import type { Value } from '../database.ts'
import { confidentReply } from '../insights/questions.ts'

export interface ActivityFilter {
  had?: Happening | undefined
  /** Question key. */
  asked?: string | undefined
  since?: number | undefined
  /** Exclusive. */
  until?: number | undefined
}

const replies: Partial<Record<Happening, string>> = {
  question: 'TRUE',
  answered: confidentReply,
  low_confidence: `m.decision = 'suggest'`,
  unanswered: `NOT (${confidentReply})`,
}

/** Conditions on conversation `c`. `value` adds a parameter and returns its placeholder. */
export function activityConditions(
  { had, asked, since, until }: ActivityFilter,
  value: (given: Value) => string,
): string[] {
  const within = (column: string) => [
    ...(since === undefined ? [] : [`${column} >= ${value(since)}`]),
    ...(until === undefined ? [] : [`${column} < ${value(until)}`]),
  ]
  const some = (table: string, conditions: string[]) =>
    `EXISTS (SELECT 1 FROM ${table} m WHERE ${['m.bot_id = c.bot_id', 'm.conversation_id = c.id', ...conditions].join(' AND ')})`
  // Skips conversations entirely outside the period.
  const around = () => [
    ...(since === undefined ? [] : [`c.updated_at >= ${value(since)}`]),
    ...(until === undefined ? [] : [`c.created_at < ${value(until)}`]),
  ]
  if (asked !== undefined || (had && replies[had])) {
    const question = asked === undefined ? 'm.question_key IS NOT NULL' : `m.question_key = ${value(asked)}`
    return [...around(), some('messages', [question, (had && replies[had]) ?? 'TRUE', ...within('m.created_at')])]
  }
  switch (had) {
    case 'rating_up':
    case 'rating_down':
      return [...around(), some('messages', [`m.rating = ${value(had.slice(7))}`, ...within('m.created_at')])]
    case 'handover_requested':
      return ['c.requested_at IS NOT NULL', ...within('c.requested_at')]
    case 'handover_accepted':
      return ['c.accepted_at IS NOT NULL', ...within('c.accepted_at')]
    case 'lead':
      return [some('leads', within('m.created_at'))]
    default:
      return within('c.created_at')
  }
}
