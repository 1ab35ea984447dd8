// The demo shop's own small API of fictional orders, and the two actions of the demo bot.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Fetch } from '../outbound/clients.ts'
import type { ActionRecord } from '../storage/actions.ts'

const FILE = fileURLToPath(new URL('../../../demo/orders.json', import.meta.url))
const PATH = '/demo/api/orders/'

interface DemoOrder {
  number: string
  status: string
  details: string
}

export function demoOrder(number: string): DemoOrder {
  const orders: DemoOrder[] = JSON.parse(readFileSync(FILE, 'utf8'))
  const unknownOrder = {
    number,
    status: 'not known',
    details: 'Please check the number: the demo shop has 10421 to 10423.',
  }
  return orders.find((order) => order.number === number) ?? unknownOrder
}

/**
 * Answers requests to the demo shop's API within the process. On most machines its address is a private one, to which
 * nothing that users configure may connect.
 */
export function withDemoApi(fetch: Fetch, baseUrl: string): Fetch {
  return async (input, init) => {
    const number = demoOrderNumber(String(input), baseUrl)
    return number === null ? fetch(input, init) : Response.json(demoOrder(number))
  }
}

/** The order that a URL of the demo shop's API names; null for any other URL. */
export function demoOrderNumber(url: string, baseUrl: string): string | null {
  const start = `${baseUrl}${PATH}`
  return url.startsWith(start) && /^\w+$/.test(url.slice(start.length)) ? url.slice(start.length) : null
}

type DemoAction = Omit<ActionRecord, 'secret'>

export function demoActions(botId: string, baseUrl: string, now: number): DemoAction[] {
  const common = {
    botId,
    state: 'live' as const,
    audience: 'everyone' as const,
    sample: null,
    authShape: null,
    auth: null,
    previousSecret: null,
    previousUntil: null,
    createdAt: now,
    updatedAt: now,
  }
  const text = { type: 'string' as const, required: true }
  return [
    {
      ...common,
      id: 'act_demo_order_status',
      name: 'Order status',
      kind: 'http',
      description: 'When somebody asks where their order is. The orders are fictional.',
      examples: [
        'Where is my order?',
        'Where is my order 10421?',
        'What is the status of my order?',
        'Has my order been sent yet?',
        'Wo ist meine Bestellung?',
        'Wo bleibt meine Bestellung 10422?',
      ],
      notFor: [
        'How can I track my parcel?',
        'How long does delivery take?',
        'Can I change or cancel my order?',
        'I typed the wrong street, can you fix my order?',
        'How do I place an order?',
        'Kann ich meine Bestellung ändern?',
      ],
      inputs: [
        {
          ...text,
          name: 'order_number',
          description: 'Order number',
          pattern: '[0-9]{5}',
          ask: 'What is your order number? In this demo: 10421, 10422 or 10423.',
        },
      ],
      request: { method: 'GET', url: `${baseUrl}${PATH}{{order_number}}` },
      answerTemplate: 'Order {{order_number}} is {{response.status}}. {{response.details}} (A fictional order.)',
      confirm: false,
    },
    {
      ...common,
      id: 'act_demo_call_back',
      name: 'Book a callback',
      kind: 'lead',
      description: 'When somebody wants to be called back. Saves a lead.',
      examples: ['Please call me back', 'Can you call me?', 'I would like a callback', 'Bitte rufen Sie mich zurück'],
      notFor: ['What is your phone number?', 'Can I call you?', 'When can I reach you by phone?'],
      inputs: [
        { ...text, name: 'name', description: 'Name', ask: null },
        { ...text, name: 'phone', description: 'Phone number', ask: null, pattern: '[+0-9][0-9 ()/-]{5,20}' },
      ],
      request: null,
      answerTemplate: null,
      confirm: true,
    },
  ]
}
