// Which words of the history go along with a question, and how heavily. User turns name the topic; answers are
// carried sparingly, the longer the less per word; names weigh more; old turns fade, the first one least.

import { writtenWords } from '../../language/words.ts'
import type { Turn } from '../types.ts'

export interface ContextTerm {
  /** As the index stores it. */
  term: string
  /** As it was written, for a readable query or an embedding. */
  surface: string
  weight: number
}

export interface ContextSettings {
  /** Weight of a word of the last user turn, and the factor per turn further back. */
  user: number
  userFade: number
  /** Share that the opening question keeps however old it is. */
  firstTurn: number
  /** The same for answers; an answer of more words than `answerTerms` spreads its weight thinner. */
  answer: number
  answerFade: number
  answerTerms: number
  answerLengthPower: number
  /** Factors for names. */
  userName: number
  answerName: number
  /** Share of the weight that a further mention adds. */
  repeat: number
  /** Factor for what lies before a change of topic. */
  beforeShift: number
  /** Largest weight of a word, and how many words go along. */
  most: number
  terms: number
}

export const contextSettings: ContextSettings = {
  user: 0.3,
  userFade: 0.3,
  firstTurn: 0.5,
  answer: 0.45,
  answerFade: 0.9,
  answerTerms: 10,
  answerLengthPower: 1.6,
  userName: 2.5,
  answerName: 2.2,
  repeat: 1,
  beforeShift: 0.6,
  most: 1,
  terms: 16,
}

// An answer says what it is about at its beginning; reading on costs time and brings noise.
const readCharacters = 500

export interface AnalyzedTurn {
  role: Turn['role']
  /** Distinct content terms of the turn. */
  terms: Map<string, { surface: string; name: boolean }>
  /** This user turn began a new topic: what lies before it counts less. */
  shift: boolean
}

export function analyzeTurn(turn: Turn, analyze: (text: string) => string[]): AnalyzedTurn {
  const terms: AnalyzedTurn['terms'] = new Map()
  for (const { surface, name } of writtenWords(turn.text.slice(0, readCharacters)))
    for (const term of analyze(surface)) {
      const known = terms.get(term)
      if (!known) terms.set(term, { surface, name })
      else if (name) known.name = true
    }
  return { role: turn.role, terms, shift: false }
}

/** Weights before the question's dependence is applied, heaviest first. */
export function contextTerms(turns: AnalyzedTurn[], settings: ContextSettings = contextSettings): ContextTerm[] {
  const weights = new Map<string, ContextTerm>()
  const firstUser = turns.findIndex(({ role }) => role === 'user')
  const distance = { user: 0, assistant: 0 }
  let relevance = 1
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at]
    if (!turn) continue
    const weight = relevance * turnWeight(turn, distance[turn.role]++, at === firstUser, settings)
    const nameWeight = turn.role === 'user' ? settings.userName : settings.answerName
    for (const [term, { surface, name }] of turn.terms) {
      const found = weights.get(term)
      const share = weight * (name ? nameWeight : 1)
      if (found) found.weight = Math.min(settings.most, found.weight + share * settings.repeat)
      else weights.set(term, { term, surface, weight: Math.min(settings.most, share) })
    }
    if (turn.shift) relevance *= settings.beforeShift
  }
  return [...weights.values()].sort((a, b) => b.weight - a.weight).slice(0, settings.terms)
}

function turnWeight(turn: AnalyzedTurn, distance: number, first: boolean, settings: ContextSettings): number {
  if (turn.role === 'assistant') {
    const spread = Math.min(1, settings.answerTerms / Math.max(1, turn.terms.size)) ** settings.answerLengthPower
    return settings.answer * spread * settings.answerFade ** distance
  }
  const fade = settings.userFade ** distance
  // The opening question names the subject of most conversations.
  return settings.user * (first ? Math.max(fade, settings.firstTurn) : fade)
}
