// Asks a visitor for one input, and reads it out of messages.
import type { ActionInput } from '@docent/contract'
import type { Answer, Button } from '../answers/types.ts'
import { dialogueWords, isAnswer } from './dialogue-words.ts'
import { type InputValue, type InputValues, readInput } from './inputs.ts'

/** How often one input is asked for. */
export const MAX_ATTEMPTS = 3
/** How long a question waits for its answer. */
export const WAITS_MS = 30 * 60_000

interface Asking {
  language: string
  /** Counted from 1; from the second on the reply says what is wrong. */
  attempt: number
  /** Where there are no buttons. */
  listsChoices?: boolean
  /** Other ways to go on. */
  ways: string[]
}

export function askFor(input: ActionInput, { language, attempt, listsChoices = false, ways }: Asking): Answer {
  const words = dialogueWords(language)
  const why = input.type === 'string' ? words.text.replace('{input}', () => input.description) : words[input.type]
  const question = input.ask ?? words.ask.replace('{input}', () => input.description)
  const choiceList = listsChoices ? (input.choices ?? []).map((choice) => `- ${choice}`).join('\n') : ''
  const choices = input.type === 'boolean' ? [words.yes, words.no] : (input.choices ?? [])
  const prompt = [question, choiceList].filter(Boolean).join('\n')
  return {
    ...plainReply(attempt > 1 ? `${why}\n\n${prompt}` : prompt, language),
    buttons: [...choices, ...ways].map(replyButton),
  }
}

export function readAnswer(input: ActionInput, text: string, language: string, now: number): InputValue | null {
  return readInput(input, text, { ...contextIn(language, now), asked: true })
}

/** Adds what else the message says. */
export function readOthers(
  inputs: readonly ActionInput[],
  text: string,
  language: string,
  now: number,
  knownValues: InputValues,
) {
  const values = { ...knownValues }
  for (const input of inputs) {
    if (input.name in values) continue
    const value = readInput(input, text, { ...contextIn(language, now), asked: false })
    if (value !== null) values[input.name] = value
  }
  return values
}

function contextIn(language: string, now: number) {
  const isYes = (text: string) => isAnswer('yesWords', text)
  return { language, now, isYes, isNo: (text: string) => isAnswer('noWords', text) }
}

export function plainReply(text: string, language: string): Answer {
  return {
    text,
    sources: [],
    documentIds: [],
    confidence: 1,
    answered: true,
    language,
    buttons: [],
    decision: 'action',
    asksNothing: true,
  }
}

export function replyButton(label: string, index: number): Button {
  return { id: `choice-${index + 1}`, type: 'reply', label, value: label }
}

export function isQuestion(text: string): boolean {
  return /[?？؟]\s*$/u.test(text)
}
