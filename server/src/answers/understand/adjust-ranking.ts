// Adjusts the ranking to earlier answers: documents under discussion move up, as far as the question depends on the
// history, and passages already given are marked.
import type { Turn } from '../types.ts'
import type { FollowUp } from './follow-up.ts'

interface Candidate<Term> {
  documentId: string
  score: number
  /** Distinct content terms of the passage, without its title. */
  terms: ReadonlySet<Term>
}

const settings = {
  /** Share of a passage's words that an answer must contain for it to count as quoted. */
  quotedShare: 0.8,
  /** A passage with fewer terms may be asked about again: it only says one thing. */
  quotedTerms: 15,
  /** Likewise for a question that depends on the history and shares no own words with the passage. */
  quotedTermsDependent: 2,
  /** Largest bonus for a document under discussion, as a share of the best score. */
  document: 0.5,
  documentFade: 0.6,
  /** Share of the bonus for a question that does not depend on the history. */
  documentFloor: 0.1,
  /** If sources are unknown, an answer of at least this many words, all found in a passage, was quoted from it. */
  quoteTerms: 2,
}

interface EarlierAnswer<Term> {
  terms: Set<Term>
  documentIds: string[] | undefined
}

/** A candidate with its boost for being under discussion, 0 to 1, and whether an answer gave all of it. */
type WithHistorySignals<C> = C & { discussed: number; alreadyQuoted: boolean }

export function adjustRanking<Term, C extends Candidate<Term>>(
  candidates: C[],
  followUp: FollowUp,
  /** The question's terms. */
  ownTerms: readonly Term[],
  history: Turn[],
  analyze: (text: string) => Term[],
): WithHistorySignals<C>[] {
  const answers = history
    .filter(({ role }) => role === 'assistant')
    .map(({ text, documentIds }): EarlierAnswer<Term> => ({ terms: new Set(analyze(text)), documentIds }))
    .reverse()
  if (!answers.length) return candidates.map((candidate) => ({ ...candidate, discussed: 0, alreadyQuoted: false }))
  const bonuses = documentBonuses(candidates, answers)
  const best = Math.max(0, ...candidates.map(({ score }) => score))
  const strength = followUp.topicShift
    ? followUp.documentStrength
    : settings.documentFloor + (1 - settings.documentFloor) * followUp.documentStrength
  const fewestTerms = ({ terms }: C) =>
    followUp.standalone || ownTerms.some((term) => terms.has(term))
      ? settings.quotedTerms
      : settings.quotedTermsDependent
  return candidates
    .map((candidate) => {
      const bonus = strength * (bonuses.get(candidate.documentId) ?? 0)
      const alreadyQuoted = wasQuoted(candidate, answers, fewestTerms(candidate), settings.quotedShare)
      return {
        ...candidate,
        discussed: bonus,
        alreadyQuoted,
        score: candidate.score + best * settings.document * bonus,
      }
    })
    .sort((a, b) => b.score - a.score)
}

function wasQuoted<Term>(
  { terms }: Candidate<Term>,
  answers: EarlierAnswer<Term>[],
  fewestTerms: number,
  quotedShare: number,
): boolean {
  if (terms.size < fewestTerms) return false
  return answers.some(
    (answer) => answer.terms.size >= terms.size * quotedShare && shareIn(terms, answer.terms) >= quotedShare,
  )
}

// Bonus 0 to 1 per document, fading with the distance of its answer.
function documentBonuses<Term>(candidates: Candidate<Term>[], answers: EarlierAnswer<Term>[]): Map<string, number> {
  const bonuses = new Map<string, number>()
  answers.forEach((answer, distance) => {
    for (const id of new Set(answer.documentIds ?? quotedDocuments(candidates, answer))) {
      const current = bonuses.get(id) ?? 0
      bonuses.set(id, current + (1 - current) * settings.documentFade ** distance * 0.7)
    }
  })
  return bonuses
}

// For unknown sources: an answer whose words are all in a passage was taken from it, if few passages match.
function quotedDocuments<Term>(candidates: Candidate<Term>[], { terms }: EarlierAnswer<Term>): string[] {
  if (terms.size < settings.quoteTerms) return []
  const holders = candidates.filter((candidate) => shareIn(terms, candidate.terms) === 1)
  return holders.length <= 3 ? holders.map(({ documentId }) => documentId) : []
}

function shareIn<Term>(terms: ReadonlySet<Term>, others: ReadonlySet<Term>): number {
  let sharedCount = 0
  for (const term of terms) if (others.has(term)) sharedCount++
  return terms.size ? sharedCount / terms.size : 0
}
