// A follow-up like "and for children?" leans on what was asked before: then the last question comes along.
import { words } from '../language/words.ts'
import type { Turn } from './types.ts'

const LEANS =
  /^(and|or|but|what about|how about|why|und|oder|was ist mit|et|y)\b|\b(it|its|they|them|that|those|this|these|there|one|es|sie|davon|dort)\b/i
const STANDS_ALONE_WORDS = 6

export function resolveFollowUp(question: string, history: Turn[], language: string): string {
  const earlier = history.findLast((turn) => turn.role === 'user')
  if (!earlier) return question
  const own = words(question, language).length
  const leans = own <= 1 || (LEANS.test(question.trim()) && own < STANDS_ALONE_WORDS)
  return leans ? `${question} ${earlier.text.slice(0, 300)}` : question
}
