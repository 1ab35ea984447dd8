// node lab/fitting/fusion.ts <eval folder> [--cache folder]: searches for better signal weights by coordinate
// descent, cross-validates them by set, and prints them for server/src/search/query/search.ts.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Signals } from '../../server/src/answers/types.ts'
import { absentModels, type Models } from '../../server/src/inference/types.ts'
import { analyseQuestion } from '../../server/src/language/analyse.ts'
import { type FusionWeights, fuse, lexicalWeights, vectorWeights } from '../../server/src/search/query/search.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { mean } from '../evaluation/eval-metrics.ts'
import { startEvalModels, withoutReader } from '../evaluation/eval-models.ts'
import { readEvalSet } from '../evaluation/eval-set.ts'
import { seededRandom, shuffled } from './random.ts'

interface Judged {
  rows: Signals[]
  right: boolean[]
}

const MAX_QUESTIONS = 400
const FACTORS = [0, 0.5, 0.75, 1.33, 2]
const ROUNDS = 2
// Ignore gains of only a question or two.
const MIN_GAIN = 0.001

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cache: { type: 'string' } } })
const [folder] = positionals
if (!folder) throw new Error('Name the folder that holds the evaluation sets.')
const models = withoutReader(await startEvalModels(values.cache))
await tune('with vectors', ['squad2_8articles', 'perlfaq', 'debian_faq', 'cranfield', 'cisi'], models, vectorWeights)
const OTHERS = ['xquad_de', 'xquad_es', 'xquad_ar', 'xquad_zh', 'perlfaq', 'debian_faq']
await tune('by words alone', OTHERS, absentModels('not wanted'), lexicalWeights)
await models.close()

async function tune(name: string, names: string[], withModel: Models, from: FusionWeights) {
  const sets = new Map<string, Judged[]>()
  for (const set of names) sets.set(set, await collect(set, withModel))
  console.log(`\n${name}`)
  for (const [set, questions] of sets) {
    const without = climb(
      [...sets].filter(([other]) => other !== set).map(([, some]) => some),
      from,
    )
    const figures = [hits(questions, from), hits(questions, without)].map((figure) => figure.toFixed(3))
    console.log(`  ${set}: now ${figures[0]}, with weights found on the other sets ${figures[1]}`)
  }
  const bestWeights = climb([...sets.values()], from)
  console.log(
    `  found on all: ${[...sets].map(([set, some]) => `${set} ${hits(some, bestWeights).toFixed(3)}`).join(', ')}`,
  )
  console.log(JSON.stringify(bestWeights, null, 2))
}

async function collect(name: string, withModel: Models): Promise<Judged[]> {
  const set = readEvalSet(join(folder ?? '', name))
  const bot = await createEvalBot(name, set.corpus, withModel)
  try {
    const knowledge = await bot.knowledge()
    const judgedQuestions: Judged[] = []
    for (const { _id, text, answerable } of shuffled(set.queries, seededRandom(name)).slice(0, MAX_QUESTIONS)) {
      const grades = set.qrels.get(_id)
      if (answerable === false || !grades) continue
      const { language } = bot
      const vector = await knowledge.embed(text)
      const candidates = knowledge.find({ question: analyseQuestion(text, language), context: [], vector })
      judgedQuestions.push({
        rows: candidates.map(({ signals }) => signals),
        right: candidates.map(({ documentId }) => (grades.get(documentId) ?? 0) > 0),
      })
    }
    return judgedQuestions
  } finally {
    await bot.close()
  }
}

function climb(sets: Judged[][], from: FusionWeights): FusionWeights {
  const worth = (weights: FusionWeights) => mean(sets.map((questions) => hits(questions, weights))) ?? 0
  let best = from
  let bestWorth = worth(from)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [signal, { weight, floor }] of Object.entries(best)) {
      for (const factor of FACTORS) {
        const candidate = { ...best, [signal]: { weight: weight * factor, floor } }
        const candidateWorth = worth(candidate)
        if (candidateWorth > bestWorth + MIN_GAIN) {
          best = candidate
          bestWorth = candidateWorth
        }
      }
    }
  }
  return best
}

function hits(questions: Judged[], weights: FusionWeights): number {
  const first = questions.map(({ rows, right }) => {
    const scores = fuse(rows, weights)
    return Number(right[scores.indexOf(Math.max(...scores))] ?? false)
  })
  return mean(first) ?? 0
}
