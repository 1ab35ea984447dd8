// Turns a question and its history into a weighted query: the question itself, plus a few words of the history that it
// depends on. The question's own words always keep their full weight.
import { type Language, languageOrEnglish } from '../../language/languages.ts'
import { writtenWords } from '../../language/words.ts'
import type { Turn } from '../types.ts'
import { asksForPerson } from './asks-for-person.ts'
import { measureDependence } from './dependence.ts'
import { smallTalk } from './small-talk.ts'

interface FollowUpInput {
  question: string
  /** Content terms as stored in the index: stemmed, without stop words. */
  stems: readonly string[]
  history: Turn[]
  /** Two-letter code of the question's language. */
  language?: string
  /** Returns the content terms of any text. */
  analyze: (text: string) => string[]
  /** 0 for a word in every passage, 1 for a word in one; undefined if in none. */
  rarity?: (term: string) => number | undefined
  /** 0 to 1: how much of the question its best passage covers, found without the history. */
  ownCoverage?: number
}

export interface FollowUp {
  text: string
  context: ContextTerm[]
  /** 0 to 1: how much the question depends on the history. */
  dependence: number
  /** 0 to 1: weight of words from the history. */
  strength: number
  /** 0 to 1: preference for documents under discussion. */
  documentStrength: number
  standalone: boolean
  topicShift: boolean
}

const settings = {
  /** Weight of a word in the last user turn, and the factor per turn further back. */
  user: 0.3,
  userFade: 0.3,
  /** Share the opening question keeps however old it is. */
  firstTurn: 0.5,
  /** Likewise for answers; an answer with more than `answerTerms` words spreads its weight thinner. */
  answer: 0.45,
  answerFade: 0.9,
  answerTerms: 10,
  answerLengthPower: 1.6,
  /** Factors for names. */
  userName: 2.5,
  answerName: 2.2,
  /** Share of the weight added by each further mention. */
  repeat: 1,
  /** Factor for turns before a change of topic. */
  beforeShift: 0.6,
  /** Maximum weight of a word, and maximum number of words. */
  most: 1,
  terms: 16,
  /** Strength that remains for an independent question. */
  floor: 0.05,
  /** Above 1: a question must clearly depend on the history before it counts much. */
  power: 1.5,
  /** A less dependent question that shares no word with the history changes the topic. */
  shiftBelow: 0.5,
  shiftStrength: 0.02,
  /** How far a rare word of its own reduces the history's weight, and how rare it must be. */
  rareOwnWord: 0.4,
  rarePower: 3,
  /** Factor for words of the history that the question repeats. */
  ownRepeat: 0.25,
  /** Factor if one passage has all the question's own words, of which there must be this many. */
  covered: 0.1,
  coveredTerms: 3,
}

export function resolveFollowUp(input: FollowUpInput): FollowUp {
  const { question, history, analyze, rarity } = input
  const language = languageOrEnglish(input.language)
  const { turns, earlierTerms } = readHistory(history, analyze, language)
  const analyzedQuestion = analyzeQuestion(question, new Set(input.stems), earlierTerms, analyze, language)
  const withShift = { ...analyzedQuestion, shift: analyzedQuestion.shift || isForeign(analyzedQuestion, rarity) }
  const documentStrength = history.length ? strengthOf(withShift, rarity) : 0
  const strength = standsAlone(withShift, input.ownCoverage) ? documentStrength * settings.covered : documentStrength
  const context = contextTerms(turns)
    .filter(({ term }) => rarity === undefined || rarity(term) !== undefined)
    .map((entry) => ({
      ...entry,
      weight: entry.weight * strength * (withShift.terms.has(entry.term) ? settings.ownRepeat : 1),
    }))
    .filter(({ weight }) => weight > 0.001)
  return {
    text: question,
    context,
    dependence: history.length ? withShift.dependence : 0,
    strength,
    documentStrength,
    standalone: !history.length || withShift.dependence < 0.5,
    topicShift: history.length > 0 && withShift.shift,
  }
}

// No reference back, and no passage has any of its words: the history would answer another question.
function isForeign({ refers, terms }: AnalyzedQuestion, rarity: FollowUpInput['rarity']): boolean {
  return !refers && terms.size > 1 && rarity !== undefined && [...terms].every((term) => rarity(term) === undefined)
}

// No reference back, and one passage has all the question's own words: the history could only mislead.
function standsAlone({ refers, terms }: AnalyzedQuestion, ownCoverage: number | undefined): boolean {
  return !refers && terms.size >= settings.coveredTerms && (ownCoverage ?? 0) > 0.95
}

interface AnalyzedQuestion {
  terms: Set<string>
  dependence: number
  refers: boolean
  shift: boolean
}

function analyzeQuestion(
  text: string,
  terms: Set<string>,
  earlierTerms: Set<string>,
  analyze: FollowUpInput['analyze'],
  language: Language,
): AnalyzedQuestion {
  const { dependence, refers } = measureDependence({ text, language, terms, earlierTerms, analyze })
  const repeats = [...terms].some((term) => earlierTerms.has(term))
  return {
    terms,
    dependence: dependence,
    refers,
    shift: dependence < settings.shiftBelow && !repeats && terms.size > 1,
  }
}

// Each earlier user turn is evaluated as of when it was asked, so that earlier changes of topic still count.
function readHistory(history: Turn[], analyze: FollowUpInput['analyze'], language: Language) {
  const earlierTerms = new Set<string>()
  const turns: AnalyzedTurn[] = []
  for (const turn of history) {
    const analyzedTurn = analyzeTurn(turn, analyze)
    if (turn.role === 'user' && earlierTerms.size)
      analyzedTurn.shift = analyzeQuestion(
        turn.text,
        new Set(analyze(turn.text)),
        earlierTerms,
        analyze,
        language,
      ).shift
    for (const term of analyzedTurn.terms.keys()) earlierTerms.add(term)
    turns.push(analyzedTurn)
  }
  return { turns, earlierTerms }
}

function strengthOf({ terms, dependence: leans, shift }: AnalyzedQuestion, rarity: FollowUpInput['rarity']): number {
  if (shift) return settings.shiftStrength
  const rarest = rarity ? Math.max(0, ...[...terms].map((term) => rarity(term) ?? 0)) : 0
  // A question with a rare word of its own finds its passage without the history.
  const contextNeed = leans ** settings.power * (1 - settings.rareOwnWord * rarest ** settings.rarePower)
  return settings.floor + (1 - settings.floor) * contextNeed
}

/**
 * Drops small talk, requests for a person and unanswered questions with their replies: "write me a poem" says nothing about the next question.
 * A conversation without any answer keeps the visitor's questions.
 */
export function relevantTurns(history: readonly Turn[], language: string): Turn[] {
  const questions = history.filter(({ role, text }) => role === 'user' && !asksNothing(text, language))
  const answeredQuestions = questions.filter((turn) => replyTo(turn, history)?.answered !== false)
  const relevantQuestions = new Set(answeredQuestions.length > 0 ? answeredQuestions : questions)
  return history.filter((turn) => {
    if (turn.role === 'user') return relevantQuestions.has(turn)
    const question = questionOf(turn, history)
    return turn.answered !== false && (question === undefined || relevantQuestions.has(question))
  })
}

function asksNothing(text: string, language: string): boolean {
  const textLanguage = languageOrEnglish(language)
  return smallTalk(text, textLanguage)?.rest === '' || asksForPerson(text, textLanguage)
}

const replyTo = (turn: Turn, history: readonly Turn[]): Turn | undefined =>
  history.slice(history.indexOf(turn) + 1).find(({ role }) => role === 'assistant')

const questionOf = (turn: Turn, history: readonly Turn[]): Turn | undefined =>
  history.slice(0, history.indexOf(turn)).findLast(({ role }) => role === 'user')

// Selects and weights words from the history to add to a question. User turns name the topic; answers count less, and
// less per word the longer they are; names count more; old turns fade, the first one least.

interface ContextTerm {
  /** As stored in the index. */
  term: string
  /** As written, for a readable query or an embedding. */
  surface: string
  weight: number
}

// Answers state their subject at the start; reading on costs time and adds noise.
const READ_CHARACTERS = 500

interface AnalyzedTurn {
  role: Turn['role']
  /** Distinct content terms of the turn. */
  terms: Map<string, { surface: string; name: boolean }>
  /** This user turn started a new topic, so earlier turns count less. */
  shift: boolean
}

function analyzeTurn(turn: Turn, analyze: (text: string) => string[]): AnalyzedTurn {
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
function contextTerms(turns: AnalyzedTurn[]): ContextTerm[] {
  const weights = new Map<string, ContextTerm>()
  const firstUser = turns.findIndex(({ role }) => role === 'user')
  const distance = { user: 0, assistant: 0 }
  let relevance = 1
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at]
    if (!turn) continue
    const weight = relevance * turnWeight(turn, distance[turn.role]++, at === firstUser)
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

function turnWeight(turn: AnalyzedTurn, distance: number, first: boolean): number {
  if (turn.role === 'assistant') {
    const spread = Math.min(1, settings.answerTerms / Math.max(1, turn.terms.size)) ** settings.answerLengthPower
    return settings.answer * spread * settings.answerFade ** distance
  }
  const fade = settings.userFade ** distance
  // The opening question names the subject of most conversations.
  return settings.user * (first ? Math.max(fade, settings.firstTurn) : fade)
}
