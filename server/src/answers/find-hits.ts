// Finds what may answer a question: resolved against the history, by words first, by meaning where words leave doubt.
import { type AnalysedQuestion, analyseQuestion, contentStems } from '../language/analyse.ts'
import { isFrameWord } from '../language/question/frame-words.ts'
import { stem } from '../language/stem.ts'
import { createQuestion } from './compose/question-terms.ts'
import { canSkipVectors } from './confidence/skip-vectors.ts'
import { readHits } from './read-hits.ts'
import type { Candidate, CuratedMatch, Hit, Knowledge, Question, Turn } from './types.ts'
import { adjustRanking } from './understand/adjust-ranking.ts'
import { relevantTurns } from './understand/relevant-turns.ts'
import { type FollowUp, resolveFollowUp } from './understand/resolve-follow-up.ts'

// So many passages go through the reader; what words find without the history is among them.
const HITS_READ = 12
const HITS_ALONE = 3
// Where words leave no doubt, the reader only confirms it and marks the answer.
const HITS_CONFIRMED = 4
const LONGEST_TEXT = 2000
const COMPARED = 3
const RERANKED = 24
// The context words that a question is embedded with: more would drown it.
const EMBEDDED_CONTEXT = 4
// One word that stands in a passage does not make it the answer.
const TERMS_FOR_CERTAINTY = 2

type RankedCandidate = Candidate & { discussed?: number; told?: boolean }

export interface Found {
  question: Question
  followUp: FollowUp
  /** Best first, with their texts. */
  hits: Hit[]
  /** All that was found, best first, not read. */
  ranking: RankedCandidate[]
  curated: CuratedMatch[]
}

export async function findHits(asked: string, language: string, earlier: Turn[], knowledge: Knowledge): Promise<Found> {
  // What is asked stands at the beginning; a pasted page after it would only cost time.
  const written = knowledge.correctSpelling(asked.slice(0, LONGEST_TEXT), language)
  const question = withoutFrame(analyseQuestion(written, language), knowledge)
  const history = relevantTurns(earlier, language).map((turn) => ({ ...turn, text: turn.text.slice(0, LONGEST_TEXT) }))
  const analyze = (one: string) => contentStems(one, language)
  const alone = knowledge.find({ question, context: [], vector: undefined })
  const ownCoverage = Math.max(0, ...alone.slice(0, 5).map(({ signals }) => signals.coverage))
  const followUp = resolveFollowUp({
    question: question.text,
    stems: question.stems,
    history,
    language,
    analyze,
    rarity: knowledge.rarity,
    ownCoverage,
  })

  const isCertain =
    followUp.context.length === 0 && question.stems.length >= TERMS_FOR_CERTAINTY && canSkipVectors(alone)
  const vector =
    !isCertain && canCompare(alone)
      ? await knowledge.embed(embeddedText({ ...followUp, text: written }), language)
      : undefined
  const again = vector !== undefined || followUp.context.length > 0
  const candidates = again ? knowledge.find({ question, context: followUp.context, vector }) : alone
  const ranking = rank(candidates, question, followUp, history, knowledge)
  const chosen = withAlone(ranking, again ? alone : [], HITS_READ)
  const earlierQuestions = history.filter(({ role }) => role === 'user').map(({ text: said }) => said)
  // The facts of one product are names and values, which the reader has not learnt to read.
  const depth = knowledge.scope === 'product' ? 0 : isCertain ? HITS_CONFIRMED : HITS_READ
  const inFull = { text: written, earlier: earlierQuestions, dependence: followUp.dependence, language }
  const toldIds = new Set(chosen.filter(({ told }) => told).map(({ id }) => id))
  const texts = (await knowledge.read(chosen)).map((hit) => ({ ...hit, told: toldIds.has(hit.passage.id) }))
  const hits = await readHits(inFull, texts, depth, knowledge)
  return {
    question: createQuestion(withContext(question, followUp), {
      rarity: (one) => knowledge.rarity(one) ?? 1,
      knows: (one) => knowledge.rarity(one) !== undefined,
      leaning: followUp.strength,
      discussed: ranking[0]?.discussed ?? 0,
    }),
    followUp: { ...followUp, text: written },
    hits,
    ranking: byHits(ranking, hits),
    curated: knowledge.matchCurated(question.text, language, vector),
  }
}

/** Words that only frame the question are left out where the content has none of them, unless nothing else is left. */
function withoutFrame(question: AnalysedQuestion, knowledge: Knowledge): AnalysedQuestion {
  const { text, language } = question
  const isEmpty = (word: string) => isFrameWord(word, language) && knowledge.rarity(stem(word, language)) === undefined
  const frame = question.words.filter(isEmpty)
  if (frame.length === 0) return question
  const kept = text.replace(/[\p{L}\p{M}]+/gu, (word) => (frame.includes(word.toLowerCase()) ? '' : word))
  const shorter = analyseQuestion(kept.replace(/\s+/g, ' ').trim(), language)
  return shorter.stems.length > 0 ? shorter : question
}

/**
 * Not where a passage among the best by words has no vector yet (it is new, or in another language): it could not stand
 * the comparison with those that have one.
 */
function canCompare(alone: Candidate[]): boolean {
  return alone.slice(0, COMPARED).every(({ embedded }) => embedded)
}

function rank(
  candidates: Candidate[],
  { language, stems }: AnalysedQuestion,
  followUp: FollowUp,
  history: Turn[],
  knowledge: Knowledge,
): RankedCandidate[] {
  const answers = history.filter(({ role }) => role === 'assistant')
  if (answers.length === 0) return candidates
  // Where it is not known which documents earlier answers came from, they are looked for among all candidates.
  const depth = answers.every(({ documentIds }) => documentIds) ? RERANKED : candidates.length
  const withTerms = candidates.slice(0, depth).map((candidate) => ({ ...candidate, terms: knowledge.stems(candidate) }))
  const ranked = adjustRanking(withTerms, followUp, stems.map(knowledge.stemKey), history, (text) =>
    contentStems(text, language).map(knowledge.stemKey),
  )
  return [...ranked, ...candidates.slice(depth)]
}

/** The best of the ranking, with the best by the question's own words among them: the history may have misled. */
function withAlone(ranking: RankedCandidate[], alone: Candidate[], most: number): RankedCandidate[] {
  const ids = new Set(alone.slice(0, HITS_ALONE).map(({ id }) => id))
  const others = ranking.filter(({ id }) => !ids.has(id)).slice(0, most - ids.size)
  const chosen = new Set([...ids, ...others.map(({ id }) => id)])
  return ranking.filter(({ id }) => chosen.has(id))
}

/** The ranking in the order in which the hits were read, the rest behind. */
function byHits(ranking: RankedCandidate[], hits: Hit[]): RankedCandidate[] {
  const order = new Map(hits.map(({ passage }, place) => [passage.id, place]))
  const place = ({ id }: Candidate) => order.get(id) ?? hits.length
  return [...ranking].sort((a, b) => place(a) - place(b))
}

function embeddedText({ text, context }: FollowUp): string {
  const lent = context.slice(0, EMBEDDED_CONTEXT).map(({ surface }) => surface)
  return lent.length > 0 ? `${text} (${lent.join(', ')})` : text
}

/**
 * What the answer is composed and judged by: a follow-up is about what it leans on, too. Its figures and names are left
 * out, since the next answer need not hold them: "And for children?" after "It costs 24 euros for adults".
 */
function withContext(question: AnalysedQuestion, { context, standalone }: FollowUp): AnalysedQuestion {
  const heaviest = context[0]?.weight ?? 0
  const lent = context.filter(({ weight, surface }) => weight >= heaviest / 2 && !/\d/.test(surface))
  const topic = lent.slice(0, EMBEDDED_CONTEXT).map(({ surface }) => surface.toLowerCase())
  if (standalone || topic.length === 0) return question
  // Before the question mark: after it they would pass for a question of their own.
  const text = question.text.trimEnd().replace(/[?？؟]*$/u, (mark) => ` ${topic.join(' ')}${mark}`)
  return analyseQuestion(text, question.language)
}
