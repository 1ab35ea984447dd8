// Buttons and questions as edited on the page.
import type { Bot, FlowButton, HandoverQuestion } from '@docent/contract'
import { CHOICES_PER_QUESTION } from '@docent/contract/limits'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'

export type ButtonType = FlowButton['type']
export type QuestionType = HandoverQuestion['type']

export const BUTTON_TYPES = ['question', 'action', 'form', 'page', 'person'] as const satisfies ButtonType[]
export const QUESTION_TYPES = [
  'choice',
  'string',
  'email',
  'number',
  'date',
  'boolean',
] as const satisfies QuestionType[]

/** What each type needs is kept while another one is looked at. */
export interface ButtonDraft {
  key: string
  type: ButtonType
  label: string
  question: string
  actionId: string
  url: string
}

export interface QuestionDraft {
  key: string
  ask: string
  label: string
  type: QuestionType
  /** One per line. */
  choices: string
}

export interface FlowDraft {
  greeting: ButtonDraft[]
  answer: ButtonDraft[]
  noAnswer: ButtonDraft[]
  questions: QuestionDraft[]
}

let lastKey = 0
const newKey = () => `new ${++lastKey}`

export function newButton(): ButtonDraft {
  return { key: newKey(), type: 'question', label: '', question: '', actionId: '', url: '' }
}

export function newQuestion(): QuestionDraft {
  return { key: newKey(), ask: '', label: '', type: 'string', choices: '' }
}

export function readFlows({ widget, handover }: Bot): FlowDraft {
  return {
    greeting: readButtons(widget.greeting_buttons),
    answer: readButtons(widget.answer_buttons),
    noAnswer: readButtons(widget.no_answer_buttons),
    questions: handover.questions.map(({ choices = [], ...question }, index) => ({
      ...question,
      key: `stored ${index}`,
      choices: choices.join('\n'),
    })),
  }
}

function readButtons(buttons: FlowButton[]): ButtonDraft[] {
  return buttons.map((button, index) => ({
    key: `stored ${index}`,
    type: button.type,
    label: button.label,
    question: (button.type === 'question' && button.question) || '',
    actionId: button.type === 'action' ? button.action_id : '',
    url: button.type === 'page' ? button.url : '',
  }))
}

export function writeFlows({ greeting, answer, noAnswer, questions }: FlowDraft) {
  return {
    widget: {
      greeting_buttons: greeting.map(writeButton),
      answer_buttons: answer.map(writeButton),
      no_answer_buttons: noAnswer.map(writeButton),
    },
    handover: {
      questions: questions.map(({ ask, label, type, choices }) => ({
        ask: ask.trim(),
        label: label.trim(),
        type,
        ...(type === 'choice' ? { choices: choicesOf(choices) } : {}),
      })),
    },
  }
}

function writeButton({ type, label: text, question, actionId, url }: ButtonDraft): FlowButton {
  const label = text.trim()
  if (type === 'question') return { type, label, ...(question.trim() ? { question: question.trim() } : {}) }
  if (type === 'action') return { type, label, action_id: actionId }
  return type === 'page' ? { type, label, url: withScheme(url) } : { type, label }
}

function choicesOf(choices: string): string[] {
  return [...new Set(splitLines(choices))]
}

export function isButtonValid({ type, label, actionId, url }: ButtonDraft): boolean {
  const isPage = /^https?:\/\/\S+$/.test(withScheme(url))
  return label.trim() !== '' && (type !== 'action' || actionId !== '') && (type !== 'page' || isPage)
}

export function hasSameName({ key, label }: QuestionDraft, questions: QuestionDraft[]): boolean {
  return label.trim() !== '' && questions.some((other) => other.key !== key && other.label.trim() === label.trim())
}

export function areFlowsValid({ greeting, answer, noAnswer, questions }: FlowDraft): boolean {
  const isQuestionValid = (question: QuestionDraft) => {
    const { length } = choicesOf(question.choices)
    return (
      question.ask.trim() !== '' &&
      question.label.trim() !== '' &&
      !hasSameName(question, questions) &&
      (question.type !== 'choice' || (length >= 2 && length <= CHOICES_PER_QUESTION))
    )
  }
  return [...greeting, ...answer, ...noAnswer].every(isButtonValid) && questions.every(isQuestionValid)
}
