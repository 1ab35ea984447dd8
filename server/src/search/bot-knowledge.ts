// One bot's content, in the form that the answer engine uses.
import type { Candidate, Knowledge, Passage, Query } from '../answers/types.ts'
import type { ReaderPassage, ReaderQuestion } from '../inference/reader-input.ts'
import type { Embedder, Reader } from '../inference/types.ts'
import { correctSpelling } from '../language/correct-spelling.ts'
import { withoutValues } from '../language/fold.ts'
import { stem } from '../language/stem.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { CuratedAnswersTable } from '../storage/curated-answers.ts'
import type { DocumentsTable, PassageRecord } from '../storage/documents.ts'
import { matchCurated } from './curated/curated-index.ts'
import type { CuratedIndexes } from './curated/curated-indexes.ts'
import { type IndexHit, indexIdOf, passageRef } from './index/passage.ts'
import type { PassageIndex } from './index/passage-index.ts'
import type { PassageIndexes } from './index/passage-indexes.ts'
import { documentsHolding, inverseFrequency } from './index/scoring.ts'
import { hash53, LEADING_SENTENCES, NO_STEM } from './index/segment.ts'
import { hasWord } from './query/plan-query.ts'
import { search } from './query/search.ts'
import { type NameSection, sourcePageUrl } from './source-page.ts'
import { modelText } from './vectors/embedding.ts'

const CANDIDATES = 160
const PASSAGES_KEPT = 1000

interface BotQuery extends Query {
  /** Search only these passages, such as those of one product. */
  only?: ReadonlySet<string>
}

type FoundPassage = IndexHit & Candidate

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
  frequentWords: ReadonlySet<string>
  embedder: Embedder
  reader: Reader
  /** How long an answer waits for the models in total: a visitor rather waits than gets a worse answer. */
  modelBudgetMs: number
  /** Called when a model was too late, so that words decided. */
  onDegraded?: () => void
  widgetBaseUrl: string
  nameSection: NameSection
}

export function makeContentKnowledgeOf({
  indexes,
  curatedIndexes,
  actionIndexes,
  documents,
  curatedAnswers,
  wordRanks,
  frequentWords,
  embedder,
  reader,
  modelBudgetMs,
  onDegraded = () => {},
  widgetBaseUrl,
  nameSection,
}: Deps) {
  // Reading results are valid as long as their index, and are freed with it.
  const readBefore = new WeakMap<PassageIndex, Map<string, ReadPassage>>()

  async function passagesOf(botId: string, index: PassageIndex, refs: readonly { id: string }[]) {
    let cachedPassages = readBefore.get(index)
    if (!cachedPassages || cachedPassages.size > PASSAGES_KEPT) {
      cachedPassages = new Map()
      readBefore.set(index, cachedPassages)
    }
    const missingRefs = refs.filter(({ id }) => !cachedPassages.has(id)).map(({ id }) => passageRef(id))
    for (const passage of await documents.findPassages(botId, missingRefs)) {
      const id = indexIdOf(passage)
      cachedPassages.set(id, { ...passage, id })
    }
    return cachedPassages
  }

  function withPage({ id, sourcePages }: KnownBot, passage: ReadPassage): ReadPassage {
    if (passage.url !== null || !sourcePages) return passage
    return { ...passage, url: sourcePageUrl(widgetBaseUrl, id, passage.documentId), anchor: nameSection(passage) }
  }

  return async (bot: KnownBot) => {
    const index = await indexes.get(bot.id, bot.knowledgeVersion)
    const curatedIndex = await curatedIndexes.get(bot.id, bot.language, bot.curatedVersion)
    const actions = await actionIndexes?.get(bot.id, bot.language, bot.actionsVersion)
    const foundPassages = new Map<string, FoundPassage>()
    const vectorsByText = new Map<string, Promise<Float32Array | undefined>>()
    let leftMs = modelBudgetMs
    let isDegraded = false

    /** Runs within what is left of the time for models; first come, first served among the questions of one bot. */
    async function withinBudget<T>(
      { state }: Pick<Embedder, 'state'>,
      use: (options: { budgetMs?: number; lane: string }) => Promise<T | undefined>,
    ) {
      if (leftMs <= 0) return undefined
      const startTime = performance.now()
      const result = await use({ lane: bot.id, ...(Number.isFinite(leftMs) ? { budgetMs: leftMs } : {}) })
      leftMs -= performance.now() - startTime
      if (result === undefined && state.kind === 'ready' && !isDegraded) {
        isDegraded = true
        onDegraded()
      }
      return result
    }

    return {
      rarity: (stem: string) => stemRarity(index, stem),
      stemKey,

      correctSpelling(text: string, language: string) {
        const vocabulary = {
          inContent: (word: string) => stemRarity(index, stem(word, language)) !== undefined,
          isWritten: (word: string) => isWritten(index, word),
          rank: (word: string) => wordRanks.get(word),
          isFrequent: (word: string) => frequentWords.has(word),
        }
        return correctSpelling(text, vocabulary, language)
      },

      find({ question, context, vector, only }: BotQuery): FoundPassage[] {
        const options = { context, vector, limit: CANDIDATES, ...(only ? { only } : {}) }
        const hits = search(index, question, options).map((hit) => ({
          ...hit,
          documentId: passageRef(hit.id).documentId,
          embedded: isEmbedded(index, hit),
        }))
        for (const hit of hits) foundPassages.set(hit.id, hit)
        return hits
      },

      stems({ id }: { id: string }): ReadonlySet<number> {
        const hit = foundPassages.get(id)
        return hit ? passageStems(index, hit) : new Set()
      },

      async load(candidates: readonly Candidate[]) {
        const passages = await passagesOf(bot.id, index, candidates)
        return candidates.flatMap(({ id, score, signals }) => {
          const passage = passages.get(id)
          return passage ? [{ passage: withPage(bot, passage), score, signals }] : []
        })
      },

      async loadAround({ id }: Passage): Promise<Passage[]> {
        const { documentId, ordinal } = passageRef(id)
        const ids = [ordinal - 1, ordinal + 1]
          .filter((place) => place >= 0)
          .map((place) => ({ id: indexIdOf({ documentId, ordinal: place }) }))
        const passages = await passagesOf(bot.id, index, ids)
        return ids.flatMap((one) => {
          const passage = passages.get(one.id)
          return passage ? [withPage(bot, passage)] : []
        })
      },

      async read(question: ReaderQuestion, passages: readonly ReaderPassage[]) {
        return withinBudget(reader, (options) => reader.read(question, passages, options))
      },

      embed(text: string): Promise<Float32Array | undefined> {
        const cachedVector = vectorsByText.get(text)
        if (cachedVector) return cachedVector
        const vector = withinBudget(embedder, async (options) => (await embedder.embed([modelText(text)], options))[0])
        vectorsByText.set(text, vector)
        return vector
      },

      /** Waits for what the model is working on anyway; undefined if the time is up before. */
      waitFor<T>(coming: Promise<T>): Promise<T | undefined> {
        return withinBudget(embedder, async ({ budgetMs }) => {
          if (budgetMs === undefined) return coming
          let timer: NodeJS.Timeout | undefined
          const late = new Promise<undefined>((resolve) => {
            timer = setTimeout(() => resolve(undefined), budgetMs)
          })
          return Promise.race([coming, late]).finally(() => clearTimeout(timer))
        })
      },

      matchCurated: (question: string, language: string, vector: Float32Array | undefined) =>
        curatedIndex ? matchCurated(curatedIndex, question, { language, vector }) : [],

      matchAction: (question: string, language: string, vector: Float32Array | undefined) =>
        actions ? matchCurated(actions, withoutValues(question), { language, vector }) : [],

      loadCurated: (id: string) => curatedAnswers.find(bot.id, id),
    } satisfies Knowledge & { waitFor<T>(coming: Promise<T>): Promise<T | undefined> }
  }
}

// Details of passages that search already found.

/** Rarity of a stem among the passages: 0 in all of them, 1 in a single one; undefined in none. */
function stemRarity(index: PassageIndex, stem: string): number | undefined {
  const holdingCount = documentsHolding(index.segments, hash53(stem))
  if (holdingCount === 0) return undefined
  const documents = index.segments.reduce((sum, segment) => sum + segment.ids.length, 0)
  return inverseFrequency(documents, holdingCount) / inverseFrequency(documents, 1)
}

/** Whether the passages contain this exact folded word, not just another form. */
function isWritten(index: PassageIndex, word: string): boolean {
  return index.segments.some((segment) => hasWord(segment, word))
}

/** The distinct stems of a passage's text, without title and headings, as `stemKey` numbers. */
function passageStems(index: PassageIndex, { position: { segment: s, doc } }: IndexHit): ReadonlySet<number> {
  const stems = new Set<number>()
  const segment = index.segments[s]!
  const from = segment.tokenStart[segment.sentenceStart[doc]! + LEADING_SENTENCES]!
  const to = segment.tokenStart[segment.sentenceStart[doc + 1]!]!
  for (let at = from; at < to; at++) {
    const stem = segment.surfaceStems[segment.tokens[at]!]!
    if (stem !== NO_STEM) stems.add(segment.stemKeys[stem]!)
  }
  return stems
}

const stemKey = hash53

/** Whether a passage already has its vector. */
function isEmbedded(index: PassageIndex, { position: { segment, doc } }: IndexHit): boolean {
  return (index.segments[segment]!.passageScales[doc] ?? 0) > 0
}
