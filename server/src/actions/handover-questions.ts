// What a bot asks before a person takes over: one question at a time, like the inputs of an action, and always with a
// way to the person.
import type { ActionInput } from '@docent/contract'
import { handoverQuestionFor } from '../answers/own-texts.ts'
import type { ActionMessage, ActionStep, Answer, AskedHandover, HandoverAsking } from '../answers/types.ts'
import { foldPhrase } from '../language/fold.ts'
import type { BotRecord } from '../storage/bots.ts'
import { dialogueWords, isAnswer } from './dialogue-words.ts'
import { type InputValue, type InputValues, maskValues, secretNames } from './inputs.ts'
import { askFor, isQuestion, MAX_ATTEMPTS, plainReply, readAnswer, WAITS_MS } from './questions.ts'

const ID = 'handover'

interface Pending {
  actionId: typeof ID
  asking: HandoverAsking
  values: InputValues
  asked: string
  attempts: number
  language: string
  /** Labels of secrets, which no language model may know. */
  hidden: string[]
  at: number
}

export type HandoverQuestions = ReturnType<typeof makeHandoverQuestions>

export function makeHandoverQuestions(clock: () => number) {
  function begin(bot: BotRecord, asking: HandoverAsking, language: string): Answer | null {
    const [first] = inputsOf(bot, language)
    if (!first) return null
    const hidden = secretLabels(bot)
    const question = ask(first, { actionId: ID, asking, values: {}, asked: '', attempts: 0, language, hidden, at: 0 })
    return { ...question, text: `${dialogueWords(language).beforeHandover}\n\n${question.text}` }
  }

  function ask(input: ActionInput, pending: Pending): Answer {
    const { language } = pending
    const words = dialogueWords(language)
    const attempts = input.name === pending.asked ? pending.attempts + 1 : 1
    const state: Pending = { ...pending, asked: input.name, attempts, at: clock() }
    return {
      ...askFor(input, { language, attempt: attempts, ways: [words.skip, words.cancel] }),
      action: { id: ID, status: 'asking', state: JSON.stringify(state) },
    }
  }

  /** The next question, or the handover. */
  function goOn(bot: BotRecord, pending: Pending): Answer {
    const inputs = inputsOf(bot, pending.language)
    const next = inputs[inputs.findIndex(({ name }) => name === pending.asked) + 1]
    return next ? ask(next, pending) : handOver(bot, pending)
  }

  function handOver(bot: BotRecord, { asking, values, language }: Pending): Answer {
    return {
      ...plainReply('', language),
      answered: false,
      decision: 'person',
      action: { id: ID, status: 'done', ...collect(bot, asking, values) },
    }
  }

  return {
    /** The first question; null: there are none. */
    begin,

    /** What was answered so far, where the last reply of the bot asks such a question. */
    answered(bot: BotRecord, state: string | null): { note?: string; handover: AskedHandover } | null {
      const pending = readPending(state)
      return pending && clock() - pending.at <= WAITS_MS ? collect(bot, pending.asking, pending.values) : null
    },

    /** What to do with a message while such a question waits; null: none does. */
    proceed(bot: BotRecord, state: string | null, { text, isForPerson }: ActionMessage): ActionStep | null {
      const pending = readPending(state)
      if (!pending || clock() - pending.at > WAITS_MS) return null
      const { language, asked, attempts, values } = pending
      const progress = { id: ID, status: 'asking' as const, state: JSON.stringify({ ...pending, at: clock() }) }
      const certainly = (reply: () => Answer) => ({ isCertain: true, reply: async () => reply(), held: progress })
      const words = dialogueWords(language)
      if (isForPerson || foldPhrase(text) === foldPhrase(words.skip)) return certainly(() => handOver(bot, pending))
      if (isAnswer('cancelWords', text)) return certainly(() => plainReply(words.notHandedOver, language))
      const input = inputsOf(bot, language).find(({ name }) => name === asked)
      // The owner has changed the questions meanwhile.
      if (!input) return certainly(() => handOver(bot, pending))
      const value = readAnswer(input, text, language, clock())
      // Nobody else is asked what a secret might be.
      const isSecret = secretLabels(bot).includes(asked)
      if (value !== null) {
        const nextPending = { ...pending, values: { ...values, [asked]: asSet(bot, input, value) } }
        return { ...certainly(() => goOn(bot, nextPending)), isCertain: isSecret || !isQuestion(text) }
      }
      const again = () => (attempts >= MAX_ATTEMPTS ? handOver(bot, pending) : ask(input, pending))
      return { ...certainly(again), isCertain: isSecret }
    },
  }
}

/** As visitors read them. Labels are unique, so they serve as names. */
function inputsOf(bot: BotRecord, language: string): ActionInput[] {
  return bot.widget.handover.questions.map((question) => {
    const { text, ...rest } = handoverQuestionFor(bot, question, language)
    return { ...rest, name: question.label, description: text, required: true }
  })
}

/** In any language: agents and webhooks know the answer to "Passwort" by another label. */
function secretLabels({ widget, translations }: BotRecord): string[] {
  const ownQuestions = widget.handover.questions.map(({ label, ask }) => ({ name: label, description: label, ask }))
  const translatedQuestions = translations.flatMap(({ handover_questions }) =>
    handover_questions.map(({ label, text, ask }) => ({ name: label, description: text ?? label, ask })),
  )
  return secretNames([...ownQuestions, ...translatedQuestions])
}

/** A choice as the owner set it, which agents and webhooks know. */
function asSet({ widget }: BotRecord, { name, choices = [] }: ActionInput, value: InputValue): InputValue {
  const question = widget.handover.questions.find(({ label }) => label === name)
  return question?.choices?.[choices.indexOf(String(value))] ?? value
}

function collect(bot: BotRecord, asking: HandoverAsking, values: InputValues) {
  const maskedValues = maskValues(values, secretLabels(bot))
  const answeredQuestions = bot.widget.handover.questions.filter(({ label }) => label in maskedValues)
  const answers = answeredQuestions.map(({ label }) => ({ label, value: String(maskedValues[label]) }))
  const lines = answers.map(({ label, value }) => `${label}: ${value}`)
  const heading = dialogueWords(bot.language).handoverNote
  return {
    ...(lines.length > 0 ? { note: [heading, ...lines].join('\n') } : {}),
    handover: { ...asking, answers },
  }
}

function readPending(state: string | null): Pending | null {
  // Written by ourselves: callers that keep the state, as the playground does, are never asked.
  const pending = JSON.parse(state ?? 'null')
  return pending?.actionId === ID ? pending : null
}
