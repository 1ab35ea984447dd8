// Runs the reader on the hits and ranks passages that answer first, each with its marked answer.
import type { Hit, Knowledge, Reading } from './types.ts'

// Retrieval and reader scores are added: the sum is right more often than either alone.
// Chosen on the visitor data sets (docs/quality-details.md); values between 5 and 9 make little difference.
const RETRIEVAL_WEIGHT = 5
const MIDDLE = 4
const UNREAD = -8
// For a heading that matches the question, whose words are all covered: "Free shipping".
const NAMED_BONUS = 1.2
// The best few are read first; if one of them surely answers, the rest are skipped.
const FIRST_READ = 6
// Limits how much earlier questions may add to a passage's relevance, for a fully dependent question.
const MAX_FROM_CONTEXT = 5
// Passages already given in an earlier answer count less, unless the reader finds they are asked for again.
const QUOTED_FACTOR = 0.3
const WORTH_REPEATING = -1.3
const SURE = { relevance: 2, lead: 2.5 }

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
  knowledge: Pick<Knowledge, 'judge'>,
): Promise<Hit[]> {
  if (depth === 0) return demoteQuoted(hits)
  const alone = { ...question, earlier: [] }
  const readings = await judgeHits(alone, hits.slice(0, Math.min(depth, FIRST_READ)), knowledge)
  if (!readings) return demoteQuoted(hits)
  if (depth > FIRST_READ && !isSure(readings)) {
    readings.push(...((await judgeHits(alone, hits.slice(FIRST_READ, depth), knowledge)) ?? []))
  }
  const read = rankHits(hits, new Map(readings.map((reading, index) => [hits[index] as Hit, reading])))
  if (question.earlier.length === 0 || isSure(readings)) return read
  const inContext = await judgeHits(question, read.slice(0, FIRST_READ), knowledge)
  if (!inContext) return read
  return rankHits(hits, withContext(read, inContext, hits, MAX_FROM_CONTEXT * question.dependence ** 2))
}

/**
 * The history may explain a question but must not answer for it: "write me a poem" after a question about returns is
 * still not about returns.
 */
function withContext(read: Hit[], inContext: Reading[], hits: Hit[], most: number): Map<Hit, Reading> {
  const readings = new Map<Hit, Reading>()
  for (const [index, { passage, reading: alone }] of read.entries()) {
    const hit = hits.find((one) => one.passage.id === passage.id)
    const context = inContext[index]
    if (!hit || !alone) continue
    const relevance = Math.min(context?.relevance ?? UNREAD, alone.relevance + most)
    const isHelped = context && relevance > alone.relevance
    readings.set(hit, isHelped ? { ...context, relevance, alone: alone.relevance } : alone)
  }
  return readings
}

function rankHits(hits: Hit[], readings: Map<Hit, Reading>): Hit[] {
  return hits
    .map((hit): Hit => {
      const reading = readings.get(hit)
      const isRepeated = hit.alreadyQuoted && (reading?.relevance ?? UNREAD) < WORTH_REPEATING
      const found = RETRIEVAL_WEIGHT * hit.score * (isRepeated ? QUOTED_FACTOR : 1) + (isNamed(hit) ? NAMED_BONUS : 0)
      const score = scoreOf(found, reading?.relevance ?? UNREAD)
      return reading ? { ...hit, reading, score } : { ...hit, score }
    })
    .sort((a, b) => b.score - a.score)
}

async function judgeHits(
  { text, earlier, language }: QuestionInContext,
  hits: Hit[],
  { judge }: Pick<Knowledge, 'judge'>,
) {
  const passages = hits.map(({ passage }) => passage)
  const readings = await judge({ text, earlier }, language, passages)
  return readings && [...readings]
}

function isSure(readings: Reading[]): boolean {
  const [best = UNREAD, next = UNREAD] = readings.map(({ relevance }) => relevance).sort((a, b) => b - a)
  return best >= SURE.relevance && best - next >= SURE.lead
}

/** Without a reader, assume that the visitor does not want a repetition. */
function demoteQuoted(hits: Hit[]): Hit[] {
  return hits
    .map((hit) => (hit.alreadyQuoted ? { ...hit, score: hit.score * QUOTED_FACTOR } : hit))
    .sort((a, b) => b.score - a.score)
}

function isNamed({ signals }: Hit): boolean {
  return signals.title >= 0.5 && signals.coverage >= 0.95
}

function scoreOf(retrieval: number, relevance: number): number {
  return 1 / (1 + Math.exp(MIDDLE - retrieval - relevance))
}
