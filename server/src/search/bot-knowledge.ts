// One bot's content, in the form that the answer engine uses.
import type { Candidate, Passage, Query } from '../answers/types.ts'
import type { ReaderPassage, ReaderQuestion } from '../inference/reader-input.ts'
import type { Embedder, Reader } from '../inference/types.ts'
import { correctSpelling } from '../language/correct-spelling.ts'
import { stem } from '../language/stem.ts'
import { withoutValues } from '../language/without-values.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { CuratedAnswersTable } from '../storage/curated-answers.ts'
import type { DocumentsTable, PassageRecord } from '../storage/documents.ts'
import { matchCurated } from './curated/curated-index.ts'
import type { CuratedIndexes } from './curated/curated-indexes.ts'
import { type Hit, passageId, passageRef } from './index/passage.ts'
import type { PassageIndex } from './index/passage-index.ts'
import type { PassageIndexes } from './index/passage-indexes.ts'
import { documentsHolding, inverseFrequency } from './index/scoring.ts'
import { hash53, leadingSentences, noStem } from './index/segment.ts'
import { hasWord } from './query/plan-query.ts'
import { search } from './query/search.ts'
import { type NameSection, sourcePageUrl } from './source-page.ts'
import { modelText } from './vectors/embedding.ts'

const CANDIDATES = 160
const PASSAGES_KEPT = 1000
// The words of other languages are not known well enough to correct their spelling.
const SPELLED_LANGUAGE = 'en'

interface BotQuery extends Query {
  /** Search only these passages, such as those of one product. */
  only?: ReadonlySet<string>
}

type FoundPassage = Hit & Candidate

type KnownBot = Pick<
  BotRecord,
  'id' | 'language' | 'sourcePages' | 'knowledgeVersion' | 'curatedVersion' | 'actionsVersion'
>
type ReadPassage = PassageRecord & { id: string }

interface Deps {
  indexes: PassageIndexes
  curatedIndexes: CuratedIndexes
  /** Absent where there are no actions. */
  actionIndexes?: CuratedIndexes
  documents: Pick<DocumentsTable, 'findPassages'>
  curatedAnswers: Pick<CuratedAnswersTable, 'find'>
  /** English words, ranked by frequency. */
  wordRanks: ReadonlyMap<string, number>
  embedder: Embedder
  reader: Reader
  /** How long an answer waits for the models in total: a visitor rather waits than gets a worse answer. */
  modelBudgetMs: number
  /** Called when a model was too late, so that words decided. */
  onDegraded?: () => void
  widgetBaseUrl: string
  nameSection: NameSection
}

export function openBotKnowledge({
  indexes,
  curatedIndexes,
  actionIndexes,
  documents,
  curatedAnswers,
  wordRanks,
  embedder,
  reader,
  modelBudgetMs,
  onDegraded = () => {},
  widgetBaseUrl,
  nameSection,
}: Deps) {
  // Reading results are valid as long as their index, and are freed with it.
  const readBefore = new WeakMap<PassageIndex, Map<string, ReadPassage>>()

  async function passagesOf(botId: string, index: PassageIndex, wanted: readonly { id: string }[]) {
    let known = readBefore.get(index)
    if (!known || known.size > PASSAGES_KEPT) {
      known = new Map()
      readBefore.set(index, known)
    }
    const missing = wanted.filter(({ id }) => !known.has(id)).map(({ id }) => passageRef(id))
    for (const passage of await documents.findPassages(botId, missing)) {
      const id = passageId(passage)
      known.set(id, { ...passage, id })
    }
    return known
  }

  function withPage({ id, sourcePages }: KnownBot, passage: ReadPassage): ReadPassage {
    if (passage.url !== null || !sourcePages) return passage
    return { ...passage, url: sourcePageUrl(widgetBaseUrl, id, passage.documentId), anchor: nameSection(passage) }
  }

  return async (bot: KnownBot) => {
    const index = await indexes.get(bot.id, bot.knowledgeVersion)
    const curated = await curatedIndexes.get(bot.id, bot.language, bot.curatedVersion)
    const actions = await actionIndexes?.get(bot.id, bot.language, bot.actionsVersion)
    const found = new Map<string, FoundPassage>()
    const embedded = new Map<string, Promise<Float32Array | undefined>>()
    let leftMs = modelBudgetMs

    /** Runs within what is left of the time for models; first come, first served among the questions of one bot. */
    async function inTurn<T>(
      { state }: Pick<Embedder, 'state'>,
      use: (options: { budgetMs?: number; lane: string }) => Promise<T | undefined>,
    ) {
      if (leftMs <= 0) return undefined
      const started = performance.now()
      const result = await use({ lane: bot.id, ...(Number.isFinite(leftMs) ? { budgetMs: leftMs } : {}) })
      leftMs -= performance.now() - started
      if (result === undefined && state.kind === 'ready') onDegraded()
      return result
    }

    return {
      rarity: (stem: string) => stemRarity(index, stem),
      stemKey,

      correctSpelling(text: string, language: string) {
        if (language !== SPELLED_LANGUAGE) return text
        return correctSpelling(text, {
          inContent: (word) => stemRarity(index, stem(word, language)) !== undefined,
          isWritten: (word) => isWritten(index, word),
          rank: (word) => wordRanks.get(word),
        })
      },

      find({ question, context, vector, only }: BotQuery): FoundPassage[] {
        const options = { context, vector, limit: CANDIDATES, ...(only ? { only } : {}) }
        const hits = search(index, question, options).map((hit) => ({
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

      async read(candidates: readonly Candidate[]) {
        const passages = await passagesOf(bot.id, index, candidates)
        return candidates.flatMap(({ id, score, signals }) => {
          const passage = passages.get(id)
          return passage ? [{ passage: withPage(bot, passage), score, signals }] : []
        })
      },

      async readAround({ id }: Passage): Promise<Passage[]> {
        const { documentId, ordinal } = passageRef(id)
        const ids = [ordinal - 1, ordinal + 1]
          .filter((place) => place >= 0)
          .map((place) => ({ id: passageId({ documentId, ordinal: place }) }))
        const passages = await passagesOf(bot.id, index, ids)
        return ids.flatMap((one) => {
          const passage = passages.get(one.id)
          return passage ? [withPage(bot, passage)] : []
        })
      },

      async judge(question: ReaderQuestion, passages: readonly ReaderPassage[]) {
        return inTurn(reader, (options) => reader.read(question, passages, options))
      },

      embed(text: string): Promise<Float32Array | undefined> {
        const known = embedded.get(text)
        if (known) return known
        const vector = inTurn(embedder, async (options) => (await embedder.embed([modelText(text)], options))[0])
        embedded.set(text, vector)
        return vector
      },

      matchCurated: (question: string, language: string, vector: Float32Array | undefined) =>
        curated ? matchCurated(curated, question, { language, vector }) : [],

      matchAction: (question: string, language: string, vector: Float32Array | undefined) =>
        actions ? matchCurated(actions, withoutValues(question), { language, vector }) : [],

      readCurated: (id: string) => curatedAnswers.find(bot.id, id),
    }
  }
}

// Details of passages that search already found.

/** Rarity of a stem among the passages: 0 in all of them, 1 in a single one; undefined in none. */
function stemRarity(index: PassageIndex, stem: string): number | undefined {
  const holding = documentsHolding(index.segments, hash53(stem))
  if (holding === 0) return undefined
  const documents = index.segments.reduce((sum, segment) => sum + segment.ids.length, 0)
  return inverseFrequency(documents, holding) / inverseFrequency(documents, 1)
}

/** Whether the passages contain this exact folded word, not just another form. */
function isWritten(index: PassageIndex, word: string): boolean {
  return index.segments.some((segment) => hasWord(segment, word))
}

/** The distinct stems of a passage's text, without title and headings, as `stemKey` numbers. */
function passageStems(index: PassageIndex, { position: { segment: s, doc } }: Hit): ReadonlySet<number> {
  const stems = new Set<number>()
  const segment = index.segments[s]!
  const from = segment.tokenStart[segment.sentenceStart[doc]! + leadingSentences]!
  const to = segment.tokenStart[segment.sentenceStart[doc + 1]!]!
  for (let at = from; at < to; at++) {
    const stem = segment.surfaceStems[segment.tokens[at]!]!
    if (stem !== noStem) stems.add(segment.stemKeys[stem]!)
  }
  return stems
}

const stemKey = hash53

/** Whether a passage already has its vector. */
function isEmbedded(index: PassageIndex, { position: { segment, doc } }: Hit): boolean {
  return (index.segments[segment]!.passageScales[doc] ?? 0) > 0
}
