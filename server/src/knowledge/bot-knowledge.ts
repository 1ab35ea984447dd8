// One bot's content in the form the answer engine is handed.
import type { BotRecord } from '../storage/bots.ts'
import type { CuratedAnswersTable } from '../storage/curated-answers.ts'
import type { DocumentsTable } from '../storage/documents.ts'
import type { BotIndexes } from './bot-indexes.ts'
import { matchCurated } from './curated/curated-index.ts'
import type { CuratedIndexes } from './curated-indexes.ts'
import type { Hit } from './index/entry.ts'
import { isEmbedded, passageStems, sentenceCosines, stemKey, stemRarity } from './index/passage-details.ts'
import type { ContextWord } from './index/plan-query.ts'
import { search } from './index/search.ts'
import { passageRef } from './passage-id.ts'
import type { Embedder } from './vectors/embedder.ts'
import { modelText } from './vectors/model-text.ts'

const CANDIDATES = 160

interface Query {
  text: string
  language: string
  context: readonly ContextWord[]
  vector: Float32Array | undefined
  /** Only these passages, such as those of one product. */
  only?: ReadonlySet<string>
}

export interface FoundPassage extends Hit {
  documentId: string
  embedded: boolean
}

interface Deps {
  indexes: BotIndexes
  curatedIndexes: CuratedIndexes
  documents: Pick<DocumentsTable, 'findPassages'>
  curatedAnswers: Pick<CuratedAnswersTable, 'find'>
  embedder: Embedder
  /** How long an answer waits for the vector of its question. */
  embeddingBudgetMs: number
}

export function botKnowledge({
  indexes,
  curatedIndexes,
  documents,
  curatedAnswers,
  embedder,
  embeddingBudgetMs,
}: Deps) {
  return async (bot: Pick<BotRecord, 'id' | 'language' | 'knowledgeVersion' | 'curatedVersion'>) => {
    const index = await indexes.get(bot.id, bot.knowledgeVersion)
    const curated = await curatedIndexes.get(bot.id, bot.language, bot.curatedVersion)
    const found = new Map<string, FoundPassage>()

    return {
      rarity: (stem: string) => stemRarity(index, stem),
      stemKey,

      find({ text, language, context, vector, only }: Query): FoundPassage[] {
        const options = { language, context, vector, limit: CANDIDATES, ...(only ? { only } : {}) }
        const hits = search(index, text, options).map((hit) => ({
          ...hit,
          documentId: passageRef(hit.id).documentId,
          embedded: isEmbedded(index, hit),
        }))
        for (const hit of hits) found.set(hit.id, hit)
        return hits
      },

      stems({ id }: { id: string }): ReadonlySet<number> {
        const hit = found.get(id)
        return hit ? passageStems(index, hit) : new Set()
      },

      async read(
        candidates: readonly { id: string; score: number; signals: Hit['signals'] }[],
        vector: Float32Array | undefined,
      ) {
        const passages = await documents.findPassages(
          bot.id,
          candidates.map(({ id }) => passageRef(id)),
        )
        const byId = new Map(passages.map((passage) => [`${passage.documentId}#${passage.ordinal}`, passage]))
        return candidates.flatMap(({ id, score, signals }) => {
          const passage = byId.get(id)
          const hit = found.get(id)
          const cosines = vector && hit ? sentenceCosines(index, hit, vector) : undefined
          if (!passage) return []
          return [{ passage: { ...passage, id }, score, signals, ...(cosines ? { sentenceCosines: cosines } : {}) }]
        })
      },

      async embed(text: string, language: string): Promise<Float32Array | undefined> {
        // The built-in model knows English only.
        if (embedder.state.kind === 'absent' || language !== 'en') return undefined
        const [vector] = await embedder.embed([modelText(text)], { budgetMs: embeddingBudgetMs })
        return vector
      },

      matchCurated: (question: string, language: string, vector: Float32Array | undefined) =>
        curated ? matchCurated(curated, question, { language, vector }) : [],

      readCurated: (id: string) => curatedAnswers.find(bot.id, id),
    }
  }
}
