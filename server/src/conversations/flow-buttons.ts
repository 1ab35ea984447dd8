// The owner's buttons, as visitors see them: without those that would lead nowhere now.
import { ACTIONS_PER_BOT, BUTTONS_PER_PLACE, type FlowButton } from '@docent/contract'
import { buttonFor, suggestedQuestionsFor } from '../answers/own-texts.ts'
import type { Answer, Button } from '../answers/types.ts'
import type { Context } from '../context.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { IsSomebodyThere } from './availability.ts'
import { isRateable } from './conversation-events.ts'

interface FlowButtons {
  greeting: Button[]
  answer: Button[]
  noAnswer: Button[]
}

/** In the language of the visitor; without one, as they are set. */
export type FlowButtonsIn = (language?: string) => FlowButtons

export type FlowButtonsOf = (bot: BotRecord) => Promise<FlowButtonsIn>

export function makeFlowButtonsOf({ storage: { actions } }: Context, isSomebodyThere: IsSomebodyThere): FlowButtonsOf {
  async function liveActions(bot: BotRecord): Promise<Set<string>> {
    const all = await actions.list(bot.id, '', ACTIONS_PER_BOT)
    return new Set(all.filter(({ state }) => state === 'live').map(({ id }) => id))
  }

  return async (bot) => {
    const { suggested_questions, greeting_buttons, answer_buttons, no_answer_buttons } = bot.widget.look
    const all = [...greeting_buttons, ...answer_buttons, ...no_answer_buttons]
    const live = all.some(({ type }) => type === 'action') ? await liveActions(bot) : new Set<string>()
    const hasPeople = all.some(({ type }) => type === 'person') && (await isSomebodyThere(bot))
    const hasForm = bot.widget.leadForm !== null
    const features = { live, hasForm, hasPeople }
    const toButtons = (buttons: FlowButton[]) =>
      buttons.flatMap((button, index) => toButton(button, `flow-${index + 1}`, features) ?? [])
    return (language) => {
      const questions = language === undefined ? suggested_questions : suggestedQuestionsFor(bot, language)
      const questionButtons = questions.map((label): FlowButton => ({ type: 'question', label }))
      const translate = (buttons: FlowButton[]) =>
        language === undefined ? buttons : buttons.map((button) => buttonFor(bot, button, language))
      return {
        greeting: toButtons([...questionButtons, ...translate(greeting_buttons)].slice(0, BUTTONS_PER_PLACE)),
        answer: toButtons(translate(answer_buttons)),
        noAnswer: toButtons(translate(no_answer_buttons.length > 0 ? no_answer_buttons : answer_buttons)),
      }
    }
  }
}

interface Offered {
  live: ReadonlySet<string>
  hasForm: boolean
  hasPeople: boolean
}

function toButton(button: FlowButton, id: string, { live, hasForm, hasPeople }: Offered): Button | null {
  const { label } = button
  switch (button.type) {
    case 'question':
      return { id, type: 'reply', label, value: button.question ?? label }
    // Its label starts the action, in whatever client.
    case 'action':
      return live.has(button.action_id) ? { id, type: 'reply', label, value: label } : null
    case 'page':
      return { id, type: 'url', label, url: button.url }
    case 'person':
      if (hasPeople) return { id, type: 'handover', label }
  }
  return hasForm ? { id, type: 'lead_form', label } : null
}

/** Not under small talk, actions and handovers. */
export function buttonsUnder({ decision, answered, language }: Answer, flowIn: FlowButtonsIn): Button[] {
  if (!isRateable({ role: 'assistant', decision })) return []
  const flow = flowIn(language)
  return answered ? flow.answer : flow.noAnswer
}

/** Under an answer: the owner's choice of a person or form replaces ours. */
export function withFlowButtons(answerButtons: Button[], flow: Button[]): Button[] {
  const reachesUs = ({ type }: Button) => type === 'handover' || type === 'lead_form'
  return flow.some(reachesUs)
    ? [...answerButtons.filter((button) => !reachesUs(button)), ...flow]
    : [...answerButtons, ...flow]
}
