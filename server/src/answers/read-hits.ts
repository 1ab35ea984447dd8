// Runs the reader on the hits and ranks passages that answer first, each with its marked answer.

import { UNREAD } from './confidence/page-confidence.ts'
import { policy } from './policy.ts'
import type { Hit, Knowledge, Reading } from './types.ts'

// Scores are turned into 0 to 1 around this sum; a passage that was not read counts as unlikely to answer.
const MIDDLE = 4

interface QuestionInContext {
  text: string
  earlier: readonly string[]
  /** 0 to 1: how much the question depends on the earlier ones. */
  dependence: number
  language: string
}

/** Reads the first `depth` hits; the rest rank as unlikely to answer. */
export async function readHits(
  question: QuestionInContext,
  hits: Hit[],
  depth: number,
  knowledge: Pick<Knowledge, 'read'>,
): Promise<Hit[]> {
  if (depth === 0) return demoteQuoted(hits)
  const alone = { ...question, earlier: [] }
  const readings = await readBatch(alone, hits.slice(0, Math.min(depth, policy.readFirst)), knowledge)
  if (!readings) return demoteQuoted(hits)
  if (depth > policy.readFirst && !isSure(readings)) {
    readings.push(...((await readBatch(alone, hits.slice(policy.readFirst, depth), knowledge)) ?? []))
  }
  const rank = (readingsByHit: Map<Hit, Reading>) => rankHits(hits, readingsByHit, question.language)
  const rankedAlone = rank(new Map(readings.map((reading, index) => [hits[index] as Hit, reading])))
  if (question.earlier.length === 0 || isSure(readings)) return rankedAlone
  const inContext = await readBatch(question, rankedAlone.slice(0, policy.readFirst), knowledge)
  if (!inContext) return rankedAlone
  return rank(limitContextReadings(rankedAlone, inContext, hits, policy.contextRelevance * question.dependence ** 2))
}

/**
 * The history may explain a question but must not answer for it: "write me a poem" after a question about returns is
 * still not about returns.
 */
function limitContextReadings(rankedAlone: Hit[], inContext: Reading[], hits: Hit[], most: number): Map<Hit, Reading> {
  const readings = new Map<Hit, Reading>()
  for (const [index, { passage, reading: alone }] of rankedAlone.entries()) {
    const hit = hits.find((one) => one.passage.id === passage.id)
    const context = inContext[index]
    if (!hit || !alone) continue
    const relevance = Math.min(context?.relevance ?? UNREAD, alone.relevance + most)
    const isHelped = context && relevance > alone.relevance
    readings.set(hit, isHelped ? { ...context, relevance, alone: alone.relevance } : alone)
  }
  return readings
}

function rankHits(hits: Hit[], readings: Map<Hit, Reading>, language: string): Hit[] {
  const isOwn = ({ passage }: Hit) => passage.language.slice(0, 2) === language.slice(0, 2)
  const hasOwn = hits.some(isOwn)
  return hits
    .map((hit): Hit => {
      const reading = readings.get(hit)
      const retrieval =
        policy.retrievalWeight * hit.score +
        (isNamed(hit) ? policy.headingBonus : 0) +
        policy.discussedBonus * (hit.discussed ?? 0) -
        (hasOwn && !isOwn(hit) ? policy.foreignPenalty : 0)
      const score = scoreOf(retrieval, reading?.relevance ?? UNREAD)
      return reading ? { ...hit, reading, score } : { ...hit, score }
    })
    .sort((a, b) => b.score - a.score)
}

async function readBatch({ text, earlier }: QuestionInContext, hits: Hit[], { read }: Pick<Knowledge, 'read'>) {
  const passages = hits.map(({ passage }) => passage)
  const readings = await read({ text, earlier }, passages)
  return readings && [...readings]
}

function isSure(readings: Reading[]): boolean {
  const [best = UNREAD, next = UNREAD] = readings.map(({ relevance }) => relevance).sort((a, b) => b - a)
  return best >= policy.sureRelevance && best - next >= policy.sureLead
}

/** Without a reader, assume that the visitor does not want a repetition. */
function demoteQuoted(hits: Hit[]): Hit[] {
  return hits
    .map((hit) => (hit.alreadyQuoted ? { ...hit, score: hit.score * policy.quotedWeight } : hit))
    .sort((a, b) => b.score - a.score)
}

function isNamed({ signals }: Hit): boolean {
  return signals.title >= 0.5 && signals.coverage >= 0.95
}

function scoreOf(retrieval: number, relevance: number): number {
  return 1 / (1 + Math.exp(MIDDLE - retrieval - relevance))
}
