// What a new action starts with.
import type { BodyOf, Routes } from '@docent/contract'
import { texts } from './action-texts.ts'

type NewAction = BodyOf<Routes['POST /api/manage/v1/bots/{botId}/actions']>

export const TEMPLATE_NAMES = ['order', 'callback', 'blank'] as const
export type TemplateName = (typeof TEMPLATE_NAMES)[number]

export function templateOf(name: TemplateName): NewAction {
  if (name === 'order') {
    const { orderNumber, examples, notFor, answer, ...text } = texts.templates.order
    return {
      ...text,
      examples: [...examples],
      not_for: [...notFor],
      answer_template: answer,
      inputs: [{ name: 'order_number', type: 'string', required: true, ...orderNumber }],
    }
  }
  if (name === 'callback') {
    const { inputs, examples, notFor, answer, ...text } = texts.templates.callback
    return {
      ...text,
      kind: 'lead',
      examples: [...examples],
      not_for: [...notFor],
      answer_template: answer,
      inputs: [
        { name: 'name', type: 'string', required: true, ...inputs.name },
        { name: 'phone', type: 'string', required: true, ...inputs.phone },
        { name: 'message', type: 'string', required: true, ...inputs.message },
      ],
    }
  }
  return { name: '', description: '', examples: [], inputs: [] }
}

/** Where the URL of the template's request leads, to show what is expected. */
export function exampleUrl(name: TemplateName): string {
  return name === 'order' ? 'https://shop.example/api/orders/{{order_number}}' : 'https://'
}
