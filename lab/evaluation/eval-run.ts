// Runs a set's questions through the service's own retrieval and answer code and measures the results.
import { composeAnswer } from '../../server/src/answers/compose/compose-answer.ts'
import { curatedConfidence } from '../../server/src/answers/confidence/curated-confidence.ts'
import { type Decision, decide, type Thresholds } from '../../server/src/answers/policy.ts'
import type { Models } from '../../server/src/inference/types.ts'
import { askQuery } from './ask-query.ts'
import { createEvalBot } from './eval-bot.ts'
import { auroc, bestCorrelation, calibrationError, mean, ndcg, recall } from './eval-metrics.ts'
import { type EvalQuery, type EvalSet, isListed } from './eval-set.ts'
import { holdsAnswer } from './holds-answer.ts'
import { makeFindInvented } from './invented.ts'
import { MissingReply, type RecordedModel } from './recorded-model.ts'
import { textProblems } from './text-problems.ts'
import { isDirect, isHelpful, visitorMeasures } from './visitor-measures.ts'

/** One question with its reply, to be read by a person. */
export interface Reply {
  set: string
  question: string
  reply: string
  decision: string
  confidence: number
  expected: string[] | undefined
  isHelpful: boolean | undefined
  isDirect: boolean | undefined
  /** Figures and addresses that the content does not have. */
  invented: string[]
  problems: string[]
}

export type Row = Record<string, string | number | undefined>

interface Outcome {
  query: EvalQuery
  grades: Map<string, number>
  ranking: string[]
  predicted: string
  confidence: number
  lookedUp: boolean
  answered: boolean
  holdsGold: boolean | undefined
  reply: string
  isHedged: boolean
  asksNothing: boolean
  invented: string[]
  ms: number
}

export async function runEval(
  set: EvalSet,
  models: Models,
  most: number,
  onReply: (reply: Reply) => void = () => {},
  model?: RecordedModel,
  onMissing: (queryId: string) => void = () => {},
): Promise<Row> {
  const findInvented = makeFindInvented([
    ...set.corpus.map(({ title, text, markdown }) => `${title}\n${markdown ?? text}`),
    // Replies write 29.9 as 29.90.
    ...(set.products ?? []).map((product) =>
      JSON.stringify(product, (_, value) => (typeof value === 'number' ? `${value} ${value.toFixed(2)}` : value)),
    ),
  ])
  const bot = await createEvalBot(set.name, set.corpus, models, set.products)
  try {
    const whole = await bot.knowledge()
    let embeddedCount = 0
    const knowledge = {
      ...whole,
      embed: async (text: string) => {
        const vector = await whole.embed(text)
        if (vector) embeddedCount++
        return vector
      },
    }
    const outcomes: Outcome[] = []
    for (const query of sample(set.queries, most)) {
      const grades = set.qrels.get(query._id) ?? new Map<string, number>()
      const only = isListed(set) ? [...grades.keys()] : undefined
      const result = await askQuery(query, only, bot.voice, knowledge, model).catch((error: unknown) => {
        if (error instanceof MissingReply) return null
        throw error
      })
      if (!result) {
        onMissing(query._id)
        continue
      }
      const { answer, history, found, curatedId, ms } = result
      const confidence = bot.isCurated && found ? curatedConfidence(found.curated) : answer.confidence
      // When it fell back, judge its confidence by the answer it withheld.
      const withheld = found && !answer.answered
      const reply = withheld ? composeAnswer(found.question, found.hits, bot.voice.siteUrl).text : answer.text
      const isLookedUp = found !== undefined || curatedId !== '' || (answer.products?.length ?? 0) > 0
      const golds = query.answers ?? query.answer_contains ?? []
      outcomes.push({
        query,
        grades,
        ranking: [...new Set(found?.ranking.map(({ documentId }) => documentId) ?? [])],
        predicted: curatedId,
        // Small talk gets a confident reply, but nothing was looked up.
        confidence: isLookedUp ? confidence : 0,
        lookedUp: isLookedUp,
        answered: answer.answered,
        holdsGold: golds.length > 0 ? holdsAnswer(reply, golds) : undefined,
        reply: answer.text,
        isHedged: answer.decision === 'suggest',
        asksNothing: answer.asksNothing === true,
        invented: findInvented(answer.answered ? answer.text : '', [query.text, ...history.map(({ text }) => text)]),
        ms,
      })
      onReply(toReply(set.name, outcomes.at(-1) as Outcome, answer.decision))
    }
    return {
      set: set.name,
      ...(bot.isCurated ? curatedMeasures(outcomes) : documentMeasures(outcomes)),
      ...visitorMeasures(outcomes),
      ...common(outcomes),
      ...precision(outcomes, bot.voice.thresholds),
      'by vector': embeddedCount / outcomes.length,
    }
  } finally {
    await bot.close()
  }
}

function toReply(set: string, outcome: Outcome, decision: string): Reply {
  const { query, reply, confidence } = outcome
  return {
    set,
    question: [...(query.earlier ?? (query.after ? [query.after] : [])), query.text].join(' ||| '),
    reply,
    decision,
    confidence,
    expected: query.answerable ? query.answer_contains : undefined,
    isHelpful: isHelpful(outcome),
    isDirect: isDirect(outcome),
    invented: outcome.invented,
    problems: textProblems(reply),
  }
}

/** An evenly spaced sample. */
function sample(queries: EvalQuery[], most: number): EvalQuery[] {
  const step = Math.max(1, queries.length / most)
  return Array.from(
    { length: Math.min(most, queries.length) },
    (_, index) => queries[Math.floor(index * step)] as EvalQuery,
  )
}

function documentMeasures(outcomes: Outcome[]): Row {
  // A set may name the passage that an unanswerable question was made from: it is not a result to find.
  const answerableOutcomes = outcomes.filter(
    ({ query, grades }) => query.answerable !== false && [...grades.values()].some((grade) => grade > 0),
  )
  const withGold = answerableOutcomes.filter(({ holdsGold, answered }) => holdsGold !== undefined && answered)
  return {
    'Hit@1': mean(answerableOutcomes.map((outcome) => Number(isRight(outcome)))),
    'nDCG@10': mean(answerableOutcomes.map(({ ranking, grades }) => ndcg(ranking, grades, 10))),
    'R@10': mean(answerableOutcomes.map(({ ranking, grades }) => recall(ranking, grades, 10))),
    'gold in answer': mean(withGold.map(({ holdsGold }) => Number(holdsGold))),
  }
}

function curatedMeasures(outcomes: Outcome[]): Row {
  const rows = outcomes.map(({ grades, predicted, confidence }) => {
    const truth = [...grades].find(([, grade]) => grade > 0)?.[0] ?? ''
    return { predicted, truth, score: confidence }
  })
  const inScope = rows.filter(({ truth }) => truth !== '')
  return {
    accuracy: mean(inScope.map(({ predicted, truth }) => Number(predicted === truth))),
    MCC: rows.length > inScope.length ? bestCorrelation(rows) : undefined,
  }
}

function common(outcomes: Outcome[]): Row {
  const confidences = (isAnswerable: boolean) =>
    outcomes.filter(({ query }) => query.answerable === isAnswerable).map(({ confidence }) => confidence)
  const rows = outcomes.map((outcome) => ({ confidence: outcome.confidence, right: isAnsweredRight(outcome) }))
  return {
    AUROC: auroc(confidences(true), confidences(false)),
    ECE: calibrationError(rows),
    'small talk': mean(outcomes.map(({ lookedUp }) => Number(!lookedUp))),
    answered: mean(outcomes.map(({ answered }) => Number(answered))),
    'ms/question': mean(outcomes.map(({ ms }) => ms)),
    questions: outcomes.length,
  }
}

/** Precision of what visitors are shown: as an answer, as "did you mean", and what is withheld. */
function precision(outcomes: Outcome[], thresholds: Thresholds): Row {
  const rightAmong = (decision: Decision) => {
    const outcomesOfDecision = outcomes.filter(({ confidence }) => decide(confidence, thresholds) === decision)
    return mean(outcomesOfDecision.map((outcome) => Number(isAnsweredRight(outcome))))
  }
  return { 'right given': rightAmong('answer'), suggested: rightAmong('suggest'), withheld: rightAmong('fall_back') }
}

function isRight({ ranking, grades }: Outcome): boolean {
  return (grades.get(ranking[0] ?? '') ?? 0) > 0
}

function isAnsweredRight(outcome: Outcome): boolean {
  if (outcome.query.answerable === false) return false
  if (outcome.ranking.length === 0) return (outcome.grades.get(outcome.predicted) ?? 0) > 0
  return isRight(outcome) && outcome.holdsGold !== false
}
