// The visitor's view: were they helped, at once, was the unanswerable declined, was anything wrong said?
import { languageData, languages } from '../../server/src/language/languages.ts'
import { mean } from './eval-metrics.ts'
import type { EvalQuery } from './eval-set.ts'
import { holdsAnswer } from './holds-answer.ts'
import { textProblems } from './text-problems.ts'

const LONGEST_REPLY_WORDS = 130
const DIRECT_WORDS = 40
const SURE = 0.5

export interface VisitorTurn {
  query: Pick<EvalQuery, 'answerable' | 'answer_contains' | 'answer_lacks' | 'kind' | 'earlier' | 'polarity'>
  reply: string
  answered: boolean
  confidence: number
  /** The reply begins with a hedge. */
  isHedged?: boolean
  /** Classified as small talk, or as a request for a person. */
  asksNothing?: boolean
  /** Figures and addresses that the content does not have. */
  invented?: string[]
}

/** Undefined where the query does not define a helpful reply. */
export function isHelpful({ query, reply, answered }: VisitorTurn): boolean | undefined {
  if (!query.answerable || !query.answer_contains) return undefined
  if (!answered || countWords(reply) > LONGEST_REPLY_WORDS) return false
  return holdsAnswer(reply, query.answer_contains) && !holdsAnswer(reply, query.answer_lacks ?? [])
}

/** Helpful within its first words, headings not counted. */
export function isDirect(turn: VisitorTurn): boolean | undefined {
  const lines = turn.reply.split('\n').filter((line) => !/^\s*(?:#+ .*|\*\*[^*]+\*\*)\s*$/.test(line))
  const opening = lines.join('\n').trim().split(/\s+/).slice(0, DIRECT_WORDS).join(' ')
  return isHelpful({ ...turn, reply: opening })
}

const ASKS_NOTHING = ['smalltalk', 'person']

/** Whether the turn went as a visitor would want: helped, rightly declined, or small talk returned. */
export function isCorrect(turn: VisitorTurn): boolean {
  const { query, answered } = turn
  if (query.kind && ASKS_NOTHING.includes(query.kind)) return turn.asksNothing === true
  return query.answerable === false ? !answered : isHelpful(turn) === true
}

/** Small talk asks nothing, so it is neither answered nor declined. */
export function visitorMeasures(turns: VisitorTurn[]): Record<string, string | number | undefined> {
  const questionTurns = turns.filter(({ query }) => query.answer_contains && !ASKS_NOTHING.includes(query.kind ?? ''))
  if (questionTurns.length === 0) return {}
  const unanswerable = questionTurns.filter(({ query }) => query.answerable === false)
  const declinedTurns = unanswerable.filter(({ answered }) => !answered)
  const hedgedTurns = unanswerable.filter(({ answered, isHedged }) => answered && isHedged)
  const wrong = questionTurns.filter((turn) => turn.answered && turn.confidence >= SURE && isHelpful(turn) !== true)
  const helpful = questionTurns.filter((turn) => isHelpful(turn))
  const answers = questionTurns.filter(({ answered }) => answered)
  const clean = answers.filter(({ reply }) => textProblems(reply).length === 0)
  const withPolarity = answers.filter(({ query }) => query.polarity)
  const yesOrNo = withPolarity.filter(saidPolarity)
  const rightPolarity = yesOrNo.filter((turn) => turn.query.polarity === saidPolarity(turn))
  return {
    direct: mean(questionTurns.flatMap((turn) => isDirect(turn) ?? []).map(Number)),
    helpful: mean(questionTurns.flatMap((turn) => isHelpful(turn) ?? []).map(Number)),
    honest: mean(unanswerable.map((turn) => Number(!turn.answered || turn.isHedged === true))),
    invented: mean(answers.map(({ invented = [] }) => Number(invented.length > 0))),
    'median words': median(answers.map(({ reply }) => countWords(reply))),
    'declined or hedged': `${declinedTurns.length}+${hedgedTurns.length}/${unanswerable.length}`,
    'correct turns': turns.some(({ query }) => query.earlier)
      ? mean(turns.map((turn) => Number(isCorrect(turn))))
      : undefined,
    'wrong and sure': `${wrong.length}/${questionTurns.length}`,
    'right but hedged': `${helpful.filter(({ isHedged }) => isHedged).length}/${helpful.length}`,
    'yes or no right': yesOrNo.length > 0 ? `${rightPolarity.length}/${yesOrNo.length}` : undefined,
    'no yes or no':
      withPolarity.length > 0 ? `${withPolarity.length - yesOrNo.length}/${withPolarity.length}` : undefined,
    clean: `${clean.length}/${answers.length}`,
  }
}

/** "Yes" or "No" at the beginning, after a hedge if there is one; undefined if neither is said. */
function saidPolarity({ reply, isHedged }: VisitorTurn): 'yes' | 'no' | undefined {
  const opening = /^[\p{L}\p{M}]+/u.exec(isHedged ? reply.slice(reply.indexOf('\n\n') + 2) : reply)?.[0]
  const has = (kind: 'yes' | 'no') =>
    languages.some((code) => languageData[code].sentences[kind].replace(/\p{P}$/u, '') === opening)
  return has('yes') ? 'yes' : has('no') ? 'no' : undefined
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}

function median(values: number[]): number | undefined {
  return values.length === 0 ? undefined : values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
