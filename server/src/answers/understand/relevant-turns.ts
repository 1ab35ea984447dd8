// The turns that show what a conversation is about.
import { languageOrEnglish } from '../../language/languages.ts'
import type { Turn } from '../types.ts'
import { asksForPerson } from './asks-for-person.ts'
import { smallTalk } from './small-talk.ts'

/**
 * Drops small talk, requests for a person and unanswered questions with their replies: "write me a poem" says nothing about the next question.
 * A conversation without any answer keeps the visitor's questions.
 */
export function relevantTurns(history: readonly Turn[], language: string): Turn[] {
  const asked = history.filter(({ role, text }) => role === 'user' && !asksNothing(text, language))
  const answered = asked.filter((turn) => replyTo(turn, history)?.answered !== false)
  const kept = new Set(answered.length > 0 ? answered : asked)
  return history.filter((turn) => {
    if (turn.role === 'user') return kept.has(turn)
    const question = questionOf(turn, history)
    return turn.answered !== false && (question === undefined || kept.has(question))
  })
}

function asksNothing(text: string, language: string): boolean {
  const known = languageOrEnglish(language)
  return smallTalk(text, known)?.rest === '' || asksForPerson(text, known)
}

const replyTo = (turn: Turn, history: readonly Turn[]): Turn | undefined =>
  history.slice(history.indexOf(turn) + 1).find(({ role }) => role === 'assistant')

const questionOf = (turn: Turn, history: readonly Turn[]): Turn | undefined =>
  history.slice(0, history.indexOf(turn)).findLast(({ role }) => role === 'user')
