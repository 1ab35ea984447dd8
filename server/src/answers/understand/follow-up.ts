// Turns a question and its history into a weighted query: the question itself, plus a few words of the history that it
// depends on. The question's own words always keep their full weight.
import { type Language, languageOrEnglish } from '../../language/languages.ts'
import type { Turn } from '../types.ts'
import { asksForPerson } from './asks-for-person.ts'
import {
  type AnalyzedTurn,
  analyzeTurn,
  type ContextSettings,
  type ContextTerm,
  contextSettings,
  contextTerms,
} from './context-terms.ts'
import { measureDependence } from './dependence.ts'
import { smallTalk } from './small-talk.ts'

export interface FollowUpInput {
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

export interface FollowUpSettings extends ContextSettings {
  /** Strength that remains for an independent question. */
  floor: number
  /** Above 1: a question must clearly depend on the history before it counts much. */
  power: number
  /** A less dependent question that shares no word with the history changes the topic. */
  shiftBelow: number
  shiftStrength: number
  /** How far a rare word of its own reduces the history's weight, and how rare it must be. */
  rareOwnWord: number
  rarePower: number
  /** Factor for words of the history that the question repeats. */
  ownRepeat: number
  /** Factor if one passage has all the question's own words, of which there must be this many. */
  covered: number
  coveredTerms: number
}

export const followUpSettings: FollowUpSettings = {
  ...contextSettings,
  floor: 0.05,
  power: 1.5,
  shiftBelow: 0.5,
  shiftStrength: 0.02,
  rareOwnWord: 0.4,
  rarePower: 3,
  ownRepeat: 0.25,
  covered: 0.1,
  coveredTerms: 3,
}

export function resolveFollowUp(input: FollowUpInput, settings: FollowUpSettings = followUpSettings): FollowUp {
  const { question, history, analyze, rarity } = input
  const language = languageOrEnglish(input.language)
  const { turns, earlierTerms } = readHistory(history, analyze, language, settings)
  const analyzedQuestion = analyzeQuestion(question, new Set(input.stems), earlierTerms, analyze, language, settings)
  const withShift = { ...analyzedQuestion, shift: analyzedQuestion.shift || isForeign(analyzedQuestion, rarity) }
  const documentStrength = history.length ? strengthOf(withShift, rarity, settings) : 0
  const strength = standsAlone(withShift, input.ownCoverage, settings)
    ? documentStrength * settings.covered
    : documentStrength
  const context = contextTerms(turns, settings)
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
function standsAlone(
  { refers, terms }: AnalyzedQuestion,
  ownCoverage: number | undefined,
  settings: FollowUpSettings,
): boolean {
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
  settings: FollowUpSettings,
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
function readHistory(
  history: Turn[],
  analyze: FollowUpInput['analyze'],
  language: Language,
  settings: FollowUpSettings,
) {
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
        settings,
      ).shift
    for (const term of analyzedTurn.terms.keys()) earlierTerms.add(term)
    turns.push(analyzedTurn)
  }
  return { turns, earlierTerms }
}

function strengthOf(
  { terms, dependence: leans, shift }: AnalyzedQuestion,
  rarity: FollowUpInput['rarity'],
  settings: FollowUpSettings,
): number {
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
