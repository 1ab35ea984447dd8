// Finds passages for a question: resolves it against the history, searches by words, then by meaning if in doubt.
import { type AnalysedQuestion, analyseQuestion, contentStems } from '../language/analyse.ts'
import { isFrameWord } from '../language/question-words.ts'
import { stem } from '../language/stem.ts'
import { makeQuestion, questionTerms } from './compose/question-terms.ts'
import { policy } from './policy.ts'
import { readHits } from './read-hits.ts'
import type { Candidate, CuratedMatch, Hit, Knowledge, Question, Signals, Turn } from './types.ts'
import { adjustRanking } from './understand/adjust-ranking.ts'
import { type FollowUp, relevantTurns, resolveFollowUp } from './understand/follow-up.ts'
import { questionText } from './understand/question-text.ts'

// Of the passages sent to the reader, so many are the best ones found without the history.
const HITS_ALONE = 3
const LONGEST_TEXT = 2000
const COMPARED = 3
const RERANKED = 24
// Context words to embed with the question: more would drown it out.
const EMBEDDED_CONTEXT = 4
// A single matching word is not enough.
const TERMS_FOR_CERTAINTY = 2
// A message of so few words may name a topic.
const TOPIC_STEMS = 2
const OPENINGS = 2

type RankedCandidate = Candidate & { discussed?: number; alreadyQuoted?: boolean }

export interface SearchResult {
  question: Question
  followUp: FollowUp
  /** Best first, with texts. */
  hits: Hit[]
  /** Everything found, best first, without texts. */
  ranking: RankedCandidate[]
  curated: CuratedMatch[]
}

export async function findHits(
  message: string,
  language: string,
  earlier: Turn[],
  knowledge: Knowledge,
): Promise<SearchResult> {
  // The question comes first; ignore anything pasted after it.
  const correctedText = knowledge.correctSpelling(message.slice(0, LONGEST_TEXT), language)
  const question = withoutFrame(analyseQuestion(correctedText, language), knowledge)
  const turnText = ({ role, text }: Turn) => (role === 'user' ? questionText(text) : text.slice(0, LONGEST_TEXT))
  const history = relevantTurns(
    earlier.map((turn) => ({ ...turn, text: turnText(turn) })),
    language,
  )
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
      ? await knowledge.embed(embeddedText({ ...followUp, text: correctedText }))
      : undefined
  const again = vector !== undefined || followUp.context.length > 0
  const candidates = again ? knowledge.find({ question, context: followUp.context, vector }) : alone
  const ranking = rank(candidates, question, followUp, history, knowledge)
  const top = withAlone(ranking, again ? alone : [], policy.readPassages)
  const opening = openings(ranking, top, question)
  const topCandidates = [...opening, ...top]
  const earlierQuestions = history.filter(({ role }) => role === 'user').map(({ text: userText }) => userText)
  // The reader was not trained on product facts, which are names and values.
  const most = isCertain ? policy.readIfCertain : policy.readPassages
  const depth = knowledge.scope === 'product' ? 0 : most + opening.length
  const inFull = { text: correctedText, earlier: earlierQuestions, dependence: followUp.dependence, language }
  const quotedIds = new Set(topCandidates.filter(({ alreadyQuoted }) => alreadyQuoted).map(({ id }) => id))
  // Only the first candidates are compared with earlier answers, but the rest of a page is under discussion too.
  const discussedWeights = new Map<string, number>()
  for (const one of ranking)
    discussedWeights.set(one.documentId, discussedWeights.get(one.documentId) ?? one.discussed ?? 0)
  const texts = (await knowledge.load(topCandidates)).map((hit) => ({
    ...hit,
    alreadyQuoted: quotedIds.has(hit.passage.id),
    discussed: discussedWeights.get(hit.passage.documentId) ?? 0,
  }))
  const hits = await readHits(inFull, texts, depth, knowledge)
  const inContent = {
    rarity: (one: string) => knowledge.rarity(one) ?? 1,
    knows: (one: string) => knowledge.rarity(one) !== undefined,
    leaning: followUp.strength,
    discussed: ranking[0]?.discussed ?? 0,
  }
  return {
    question: {
      ...makeQuestion(addContextWords(question, followUp), inContent),
      own: { text: question.text, terms: questionTerms(question, inContent.rarity) },
    },
    followUp: { ...followUp, text: correctedText },
    hits,
    ranking: byHits(ranking, hits),
    curated: knowledge.matchCurated(question.text, language, vector),
  }
}

/** Drops frame words that the content lacks, unless nothing else is left. */
function withoutFrame(question: AnalysedQuestion, knowledge: Knowledge): AnalysedQuestion {
  const { text, language } = question
  const isEmpty = (word: string) => isFrameWord(word, language) && knowledge.rarity(stem(word, language)) === undefined
  const frame = question.words.filter(isEmpty)
  if (frame.length === 0) return question
  const remainingText = text.replace(/[\p{L}\p{M}]+/gu, (word) => (frame.includes(word.toLowerCase()) ? '' : word))
  const shorter = analyseQuestion(remainingText.replace(/\s+/g, ' ').trim(), language)
  return shorter.stems.length > 0 ? shorter : question
}

/**
 * False if a top passage by words has no vector yet (it is new, or in another language): it would lose against those
 * that have one.
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
  // If the sources of earlier answers are unknown, look for them among all candidates.
  const depth = answers.every(({ documentIds }) => documentIds) ? RERANKED : candidates.length
  const withTerms = candidates.slice(0, depth).map((candidate) => ({ ...candidate, terms: knowledge.stems(candidate) }))
  const adjustedRanking = adjustRanking(withTerms, followUp, stems.map(knowledge.stemKey), history, (text) =>
    contentStems(text, language).map(knowledge.stemKey),
  )
  return [...adjustedRanking, ...candidates.slice(depth)]
}

/** The top of the ranking, including the best by the question's own words, in case the history misled. */
function withAlone(ranking: RankedCandidate[], alone: Candidate[], most: number): RankedCandidate[] {
  const ids = new Set(alone.slice(0, HITS_ALONE).map(({ id }) => id))
  const others = ranking.filter(({ id }) => !ids.has(id)).slice(0, most - ids.size)
  const chosenIds = new Set([...ids, ...others.map(({ id }) => id)])
  return ranking.filter(({ id }) => chosenIds.has(id))
}

/** "Returns?": the beginning of a page with that title has the general rule, but not always the words. */
function openings(ranking: RankedCandidate[], top: RankedCandidate[], { stems }: AnalysedQuestion): RankedCandidate[] {
  if (stems.length === 0 || stems.length > TOPIC_STEMS) return []
  const titleMatches = top.filter(({ signals }) => signals.title >= policy.topicTitle)
  const pages = new Set(titleMatches.map(({ documentId }) => documentId))
  const isOpening = ({ id, documentId }: Candidate) => pages.has(documentId) && id.endsWith('#0')
  return ranking.filter((candidate) => isOpening(candidate) && !top.includes(candidate)).slice(0, OPENINGS)
}

/** Reorders the ranking like the hits, followed by the rest. */
function byHits(ranking: RankedCandidate[], hits: Hit[]): RankedCandidate[] {
  const order = new Map(hits.map(({ passage }, place) => [passage.id, place]))
  const place = ({ id }: Candidate) => order.get(id) ?? hits.length
  return [...ranking].sort((a, b) => place(a) - place(b))
}

function embeddedText({ text, context }: FollowUp): string {
  const contextWords = context.slice(0, EMBEDDED_CONTEXT).map(({ surface }) => surface)
  return contextWords.length > 0 ? `${text} (${contextWords.join(', ')})` : text
}

/**
 * The question used to compose and score the answer, with the topic of a follow-up added. Figures are left out, since the
 * next answer need not have them: "And for children?" after "It costs 24 euros for adults". Names stay: without them, more
 * follow-ups are answered from elsewhere.
 */
function addContextWords(question: AnalysedQuestion, { context, standalone }: FollowUp): AnalysedQuestion {
  const heaviest = context[0]?.weight ?? 0
  const heaviestTerms = context.filter(({ weight, surface }) => weight >= heaviest / 2 && !/\d/.test(surface))
  const topic = heaviestTerms.slice(0, EMBEDDED_CONTEXT).map(({ surface }) => surface.toLowerCase())
  if (standalone || topic.length === 0) return question
  // Insert before the question mark: after it they would look like a separate question.
  const text = question.text.trimEnd().replace(/[?？؟]*$/u, (mark) => ` ${topic.join(' ')}${mark}`)
  return analyseQuestion(text, question.language)
}

interface LexicalHit {
  score: number
  signals: Signals
}

// The first passage must cover most of the question, with a clear lead in both scores. Chosen by hand; `npm run eval`
// with and without `--every-vector` measures the cost of skipping.
export const certainty = { coverage: 0.6, words: 0.3, wordsLead: 0.15, gramsLead: 0.1 }

/** Whether hits found without vectors, best first, are certain. */
function canSkipVectors(hits: readonly LexicalHit[]): boolean {
  const [first, ...others] = hits
  if (!first) return false
  const lead = (name: 'words' | 'grams') => first.signals[name] - Math.max(0, ...others.map((hit) => hit.signals[name]))
  const { coverage, words } = first.signals
  return (
    coverage >= certainty.coverage &&
    words >= certainty.words &&
    lead('words') >= certainty.wordsLead &&
    lead('grams') >= certainty.gramsLead
  )
}
