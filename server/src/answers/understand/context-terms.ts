// Selects and weights words from the history to add to a question. User turns name the topic; answers count less, and
// less per word the longer they are; names count more; old turns fade, the first one least.

import { writtenWords } from '../../language/words.ts'
import type { Turn } from '../types.ts'

export interface ContextTerm {
  /** As stored in the index. */
  term: string
  /** As written, for a readable query or an embedding. */
  surface: string
  weight: number
}

export interface ContextSettings {
  /** Weight of a word in the last user turn, and the factor per turn further back. */
  user: number
  userFade: number
  /** Share the opening question keeps however old it is. */
  firstTurn: number
  /** Likewise for answers; an answer with more than `answerTerms` words spreads its weight thinner. */
  answer: number
  answerFade: number
  answerTerms: number
  answerLengthPower: number
  /** Factors for names. */
  userName: number
  answerName: number
  /** Share of the weight added by each further mention. */
  repeat: number
  /** Factor for turns before a change of topic. */
  beforeShift: number
  /** Maximum weight of a word, and maximum number of words. */
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

// Answers state their subject at the start; reading on costs time and adds noise.
const READ_CHARACTERS = 500

export interface AnalyzedTurn {
  role: Turn['role']
  /** Distinct content terms of the turn. */
  terms: Map<string, { surface: string; name: boolean }>
  /** This user turn started a new topic, so earlier turns count less. */
  shift: boolean
}

export function analyzeTurn(turn: Turn, analyze: (text: string) => string[]): AnalyzedTurn {
  const terms: AnalyzedTurn['terms'] = new Map()
  for (const { surface, name } of writtenWords(turn.text.slice(0, READ_CHARACTERS)))
    for (const term of analyze(surface)) {
      const entry = terms.get(term)
      if (!entry) terms.set(term, { surface, name })
      else if (name) entry.name = true
    }
  return { role: turn.role, terms, shift: false }
}

/** Weights before applying the question's dependence, heaviest first. */
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
      const knownWeight = weights.get(term)
      const share = weight * (name ? nameWeight : 1)
      if (knownWeight) knownWeight.weight = Math.min(settings.most, knownWeight.weight + share * settings.repeat)
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
