// The visitor's view: were they helped, was the unanswerable declined, was anything wrong said?
import { mean } from './eval-metrics.ts'
import type { EvalQuery } from './eval-set.ts'
import { holdsAnswer } from './holds-answer.ts'

const LONGEST_REPLY_WORDS = 130
const SURE = 0.5

export interface VisitorTurn {
  query: Pick<EvalQuery, 'answerable' | 'answer_contains' | 'answer_lacks' | 'kind' | 'earlier'>
  reply: string
  answered: boolean
  confidence: number
  /** Classified as small talk, or as a request for a person. */
  asksNothing?: boolean
}

/** Undefined where the query does not define a helpful reply. */
export function isHelpful({ query, reply, answered }: VisitorTurn): boolean | undefined {
  if (!query.answerable || !query.answer_contains) return undefined
  if (!answered || reply.split(/\s+/).length > LONGEST_REPLY_WORDS) return false
  return holdsAnswer(reply, query.answer_contains) && !holdsAnswer(reply, query.answer_lacks ?? [])
}

const asksNothing = ['smalltalk', 'person']

/** Whether the turn went as a visitor would want: helped, rightly declined, or small talk returned. */
export function isCorrect(turn: VisitorTurn): boolean {
  const { query, answered } = turn
  if (query.kind && asksNothing.includes(query.kind)) return turn.asksNothing === true
  return query.answerable === false ? !answered : isHelpful(turn) === true
}

/** Small talk asks nothing, so it is neither answered nor declined. */
export function visitorMeasures(turns: VisitorTurn[]): Record<string, string | number | undefined> {
  const asked = turns.filter(({ query }) => query.answer_contains && !asksNothing.includes(query.kind ?? ''))
  if (asked.length === 0) return {}
  const unanswerable = asked.filter(({ query }) => query.answerable === false)
  const declined = unanswerable.filter(({ answered }) => !answered)
  const wrong = asked.filter((turn) => turn.answered && turn.confidence >= SURE && isHelpful(turn) !== true)
  return {
    helpful: mean(asked.flatMap((turn) => isHelpful(turn) ?? []).map(Number)),
    'declined rightly': `${declined.length}/${unanswerable.length}`,
    'correct turns': turns.some(({ query }) => query.earlier)
      ? mean(turns.map((turn) => Number(isCorrect(turn))))
      : undefined,
    'wrong and sure': `${wrong.length}/${asked.length}`,
  }
}
