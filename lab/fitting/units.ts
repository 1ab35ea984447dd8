// node lab/fitting/units.ts <eval folder>: fits which sentence of the right passage answers, with a
// softmax over its sentences, and prints the weights for server/src/answers/compose/units.ts.
import { join } from 'node:path'
import { UNIT_FEATURE_NAMES, unitFeatures, unitsOf } from '../../server/src/answers/compose/units.ts'
import { absentModels } from '../../server/src/inference/types.ts'
import { askQuery } from '../evaluation/ask-query.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { readEvalSet } from '../evaluation/eval-set.ts'
import { holdsAnswer } from '../evaluation/holds-answer.ts'

interface Example {
  units: number[][]
  right: boolean[]
}

const STEPS = 300
const STEP_SIZE = 6
const RIDGE = 0.001

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder that holds the evaluation sets.')
await train('by words', ['squad2_8articles', 'xquad_de', 'xquad_es', 'xquad_ar', 'xquad_zh'])

async function train(name: string, sets: string[]) {
  const examples: Example[] = []
  for (const set of sets) examples.push(...(await collect(set)))
  // Articles are contiguous, so the halves hold different articles.
  const half = Math.floor(examples.length / 2)
  const [first, second] = [examples.slice(0, half), examples.slice(half)]
  const unseen = (hits(second, fit(first)) * second.length + hits(first, fit(second)) * first.length) / examples.length
  const weights = fit(examples)
  console.log(`${name}, ${examples.length} questions: right sentence ${hits(examples, weights).toFixed(3)}, on the`)
  console.log(`other half of the articles ${unseen.toFixed(3)}`)
  console.log(UNIT_FEATURE_NAMES.map((feature, i) => `  ${feature}: ${weights[i]!.toFixed(2)}`).join('\n'))
}

async function collect(name: string): Promise<Example[]> {
  const set = readEvalSet(join(folder ?? '', name))
  const bot = await createEvalBot(name, set.corpus, absentModels('not wanted'))
  try {
    const knowledge = await bot.knowledge()
    const examples: Example[] = []
    for (const query of set.queries) {
      const grades = set.qrels.get(query._id)
      const { answers = [], answerable } = query
      if (answerable === false || answers.length === 0) continue
      const { found } = await askQuery(query, undefined, bot.voice, knowledge)
      const hit = found?.hits.find(({ passage }) => (grades?.get(passage.documentId) ?? 0) > 0)
      if (!found || !hit) continue
      const units = unitsOf(hit)
      const right = units.map(({ text }) => holdsAnswer(text, answers))
      if (!right.includes(true)) continue
      const features = unitFeatures(units, found.question)
      examples.push({ units: features.map((row) => UNIT_FEATURE_NAMES.map((feature) => row[feature])), right })
    }
    return examples
  } finally {
    await bot.close()
  }
}

function fit(examples: Example[]): number[] {
  const weights = UNIT_FEATURE_NAMES.map(() => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight) => RIDGE * weight)
    for (const { units, right } of examples) {
      const shares = softmax(units.map((unit) => dot(unit, weights)))
      const mass = shares.reduce((sum, share, i) => sum + (right[i] ? share : 0), 0)
      for (const [i, unit] of units.entries()) {
        const error = shares[i]! - (right[i] ? shares[i]! / mass : 0)
        for (const [feature, value] of unit.entries()) slope[feature]! += (error * value) / examples.length
      }
    }
    for (const feature of weights.keys()) weights[feature]! -= STEP_SIZE * slope[feature]!
  }
  return weights
}

/** Share of questions whose best sentence contains the answer. */
function hits(examples: Example[], weights: number[]): number {
  const right = examples.filter(({ units, right }) => {
    const scores = units.map((unit) => dot(unit, weights))
    return right[scores.indexOf(Math.max(...scores))]
  })
  return right.length / examples.length
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - highest))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
