// Puts the questions of a set to the service's own retrieve and answer code and measures what comes back.
import { answerQuestion } from '../../server/src/answers/answer-question.ts'
import { curatedConfidence } from '../../server/src/answers/confidence/curated-confidence.ts'
import { defaultThresholds } from '../../server/src/answers/confidence/decide.ts'
import type { Found } from '../../server/src/answers/find-hits.ts'
import type { BotVoice, Knowledge } from '../../server/src/answers/types.ts'
import { seeksInformation } from '../../server/src/answers/understand/seeks-information.ts'
import type { Embedder } from '../../server/src/knowledge/vectors/embedder.ts'
import { createEvalBot } from './eval-bot.ts'
import { auroc, bestCorrelation, calibrationError, mean, ndcg, recall } from './eval-metrics.ts'
import type { EvalQuery, EvalSet } from './eval-set.ts'

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
  seeking: number
  ms: number
}

export async function runEval(set: EvalSet, embedder: Embedder, most: number): Promise<Row> {
  const bot = await createEvalBot(set.name, set.corpus, embedder)
  try {
    const knowledge = await bot.knowledge()
    const voice: BotVoice = {
      name: set.name,
      language: bot.language,
      tone: 'formal',
      siteUrl: 'https://eval.example',
      fallbackMessage: null,
      thresholds: defaultThresholds,
    }
    const outcomes: Outcome[] = []
    for (const query of sample(set.queries, most)) {
      const grades = set.qrels.get(query._id) ?? new Map<string, number>()
      // Where wrong candidates are listed too, only the listed ones are ranked: the facts of one product.
      const listed = [...grades.values()].includes(0) ? new Set(grades.keys()) : undefined
      const scoped = listed ? onlyDocuments(knowledge, listed) : knowledge
      const history = query.history ?? []
      const started = performance.now()
      let found: Found | undefined
      const answer = await answerQuestion(query.text, history, voice, scoped, (one) => {
        found = one
      })
      outcomes.push({
        query,
        grades,
        ranking: [...new Set(found?.ranking.map(({ documentId }) => documentId) ?? [])],
        predicted: found?.curated[0]?.id ?? '',
        // Small talk is answered in kind and surely, but nothing was known.
        confidence: !found ? 0 : bot.isCurated ? curatedConfidence(found.curated) : answer.confidence,
        lookedUp: found !== undefined,
        answered: answer.answered,
        holdsGold: query.answers?.length ? holds(answer.text, query.answers) : undefined,
        seeking: seeksInformation({ text: query.text, previous: history.at(-1)?.text ?? '', language: bot.language }),
        ms: performance.now() - started,
      })
    }
    return {
      set: set.name,
      ...(bot.isCurated ? curatedMeasures(outcomes) : documentMeasures(outcomes)),
      ...common(outcomes),
    }
  } finally {
    await bot.close()
  }
}

type Scoped = Awaited<ReturnType<Awaited<ReturnType<typeof createEvalBot>>['knowledge']>> & Pick<Knowledge, 'scope'>

function onlyDocuments(knowledge: Scoped, documents: ReadonlySet<string>): Scoped {
  const only = new Set([...documents].map((id) => `${id}#0`))
  return { ...knowledge, scope: 'product', find: (query) => knowledge.find({ ...query, only }) }
}

function sample(queries: EvalQuery[], most: number): EvalQuery[] {
  const step = Math.max(1, queries.length / most)
  return Array.from(
    { length: Math.min(most, queries.length) },
    (_, index) => queries[Math.floor(index * step)] as EvalQuery,
  )
}

function documentMeasures(outcomes: Outcome[]): Row {
  const judged = outcomes.filter(({ grades }) => [...grades.values()].some((grade) => grade > 0))
  const withGold = judged.filter(({ holdsGold, answered }) => holdsGold !== undefined && answered)
  return {
    'Hit@1': mean(judged.map((outcome) => Number(isRight(outcome)))),
    'nDCG@10': mean(judged.map(({ ranking, grades }) => ndcg(ranking, grades, 10))),
    'R@10': mean(judged.map(({ ranking, grades }) => recall(ranking, grades, 10))),
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
  const confidences = (wanted: boolean) =>
    outcomes.filter(({ query }) => query.answerable === wanted).map(({ confidence }) => confidence)
  const seeking = (wanted: boolean) =>
    outcomes.filter(({ query }) => query.knowledge_seeking === wanted).map((outcome) => outcome.seeking)
  const rows = outcomes.map((outcome) => ({ confidence: outcome.confidence, right: isAnsweredRight(outcome) }))
  return {
    AUROC: auroc(confidences(true), confidences(false)),
    'AUROC seeking': auroc(seeking(true), seeking(false)),
    ECE: calibrationError(rows),
    'small talk': mean(outcomes.map(({ lookedUp }) => Number(!lookedUp))),
    answered: mean(outcomes.map(({ answered }) => Number(answered))),
    'ms/question': mean(outcomes.map(({ ms }) => ms)),
    questions: outcomes.length,
  }
}

function isRight({ ranking, grades }: Outcome): boolean {
  return (grades.get(ranking[0] ?? '') ?? 0) > 0
}

function isAnsweredRight(outcome: Outcome): boolean {
  if (outcome.query.answerable === false) return false
  if (outcome.ranking.length === 0) return (outcome.grades.get(outcome.predicted) ?? 0) > 0
  return isRight(outcome) && outcome.holdsGold !== false
}

function holds(text: string, answers: string[]): boolean {
  const plain = (one: string) =>
    one
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s\p{P}]+/gu, ' ')
      .trim()
  const answer = plain(text)
  return answers.some((gold) => answer.includes(plain(gold)))
}
