// The service's own signals for every question to a bot, and whether its answer would have been right.
import { composeAnswer } from '../../server/src/answers/compose/compose-answer.ts'
import {
  type ConfidenceFeatures,
  confidenceFeatures,
  type ModelKind,
  modelKind,
} from '../../server/src/answers/confidence/page-confidence.ts'
import type { SearchResult } from '../../server/src/answers/find-hits.ts'
import type { BotVoice } from '../../server/src/answers/types.ts'
import type { Models } from '../../server/src/inference/types.ts'
import { askQuery } from '../evaluation/ask-query.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { holdsAnswer } from '../evaluation/holds-answer.ts'
import type { Asked, Scenario } from './scenarios.ts'

export interface TrainingRow {
  set: string
  scenario: string
  group: string
  kind: ModelKind
  product: boolean
  /** Whether the bot had vectors, used or not. */
  embedded: boolean
  features: ConfidenceFeatures
  outside: boolean
  answerable: boolean
  /** The right document came first; its sentences contained the answer. */
  found: boolean
  right: boolean
  text: string
}

export async function collectRows(scenario: Scenario, models: Models): Promise<TrainingRow[]> {
  const bot = await createEvalBot(scenario.set, scenario.corpus, models)
  try {
    const knowledge = await bot.knowledge()
    const rows: TrainingRow[] = []
    for (const question of scenario.asked) {
      const { found } = await askQuery(
        question.query,
        scenario.listed ? [...question.grades.keys()] : undefined,
        bot.voice,
        knowledge,
      )
      const row = found && judge(scenario, question, found, bot.voice)
      if (row) rows.push({ ...row, product: scenario.listed, embedded: models.embedder.model !== null })
    }
    return rows
  } finally {
    await bot.close()
  }
}

function judge(
  { name, set }: Scenario,
  { query, grades, group, outside }: Asked,
  { question, hits, ranking }: SearchResult,
  voice: BotVoice,
): Omit<TrainingRow, 'product' | 'embedded'> | undefined {
  const answer = composeAnswer(question, hits, voice.siteUrl)
  const features = confidenceFeatures(question, hits, answer)
  if (!features) return undefined
  const holds = query.answers?.length ? holdsAnswer(answer.text, query.answers) : undefined
  // Another document may contain the same answer: cannot be labelled.
  if (outside && holds) return undefined
  const answerable = !outside && query.answerable !== false
  const isFound = answerable && (grades.get(ranking[0]?.documentId ?? '') ?? 0) > 0
  return {
    set,
    scenario: name,
    group,
    kind: modelKind(hits, question.language),
    features,
    outside,
    answerable,
    found: isFound,
    right: isFound && holds !== false,
    text: query.text,
  }
}
