// Forms edit drafts: what was stored and not touched must be saved unchanged, and what is typed arrives tidy.
import type { Action, Bot, LanguageModelPreset, NotificationChannel } from '@docent/contract'
import { describe, expect, test } from 'vitest'
import {
  isSameForAll,
  namesOrder,
  newInput,
  originOf,
  placeholdersOf,
  readAction,
  unsentInputs,
  visitorFieldsOf,
  withMethod,
  writeAction,
} from '../src/features/actions/action-draft.ts'
import {
  findProblems,
  isUntranslated,
  readAppearance,
  writeAppearance,
} from '../src/features/appearance/appearance-draft.ts'
import {
  areFlowsValid,
  isButtonValid,
  newButton,
  newQuestion,
  readFlows,
  writeFlows,
} from '../src/features/flows/flow-draft.ts'
import {
  areFieldsValid,
  isHandoverValid,
  makeField,
  makePeriod,
  readHandover,
  writeFields,
  writeHandover,
} from '../src/features/handover/handover-draft.ts'
import { chooseProvider, languageModel, readDraft } from '../src/features/language-model/model-draft.ts'
import { isChannelComplete, readChannel, writeChannel } from '../src/features/notifications/channel-draft.ts'
import { rebaseDraft } from '../src/forms/rebase-draft.ts'

describe('an action', () => {
  const inputs: Action['inputs'] = [
    { name: 'order', type: 'string', description: 'Order number', required: true, ask: null, pattern: '^\\d+$' },
    { name: 'size', type: 'choice', description: 'Size', required: false, ask: 'Which?', choices: ['S', 'M'] },
  ]
  const storedAction = {
    kind: 'http',
    name: 'Order status',
    description: 'Tells it',
    examples: ['Where is my order?', 'Track it'],
    not_for: [],
    inputs,
    request: { method: 'POST', url: 'https://shop.test/{{order}}', headers: { 'x-shop': '1' }, body: '{"a":1}' },
    auth: { type: 'bearer' },
    answer_template: null,
    audience: 'everyone',
    confirm: true,
    sample: { status: 'sent' },
  } as unknown as Action

  test('that nobody changed is saved as it was, and its credentials stay with the server', () => {
    const { kind: _, auth: _auth, ...fields } = storedAction as Action & Record<string, unknown>
    expect(writeAction(readAction(storedAction), 'http')).toEqual(fields)
  })

  test('loses what its method or type of input does not have', () => {
    const draft = readAction(storedAction)
    expect(writeAction({ ...draft, method: 'GET' }, 'http').request).toMatchObject({ method: 'GET', body: null })
    const [order] =
      writeAction({ ...draft, inputs: [{ ...newInput(), type: 'number', pattern: 'x' }] }, 'http').inputs ?? []
    expect(order).not.toHaveProperty('pattern')
    expect(writeAction(draft, 'callback' as Action['kind'])).not.toHaveProperty('request')
  })

  test('asks for confirmation by its method, until somebody decides otherwise', () => {
    const draft = readAction(storedAction)
    expect(withMethod(draft, 'GET')).toEqual({ method: 'GET', confirm: false })
    expect(withMethod({ ...draft, confirm: false }, 'DELETE')).toEqual({ method: 'DELETE' })
  })

  test('offers placeholders of named inputs only, and says what it tells of the visitor', () => {
    const draft = readAction(storedAction)
    expect(placeholdersOf({ ...draft, inputs: [...draft.inputs, newInput()] })).toEqual(['{{order}}', '{{size}}'])
    expect(visitorFieldsOf({ ...draft, body: '{{ visitor.email }}' })).toEqual(['email'])
    expect(visitorFieldsOf(draft)).toEqual([])
  })

  test('names the inputs that it asks for in vain, and says if everybody gets the same response', () => {
    const draftWithInput = readAction(storedAction)
    const ofVisitor = { ...draftWithInput, url: 'https://shop.test/', body: '{"of": "{{ visitor.user_id }}"}' }
    const draftWithoutInput = { ...ofVisitor, body: '' }
    const unsent = (draft: typeof draftWithInput) => unsentInputs(draft).map(({ name }) => name)
    expect([draftWithInput, ofVisitor, draftWithoutInput].map(unsent)).toEqual([[], ['order'], ['order']])
    expect([draftWithInput, ofVisitor, draftWithoutInput].map(isSameForAll)).toEqual([false, false, true])
  })

  test.each([
    ['https://shop.test/orders/10421', false],
    ['https://shop.test/orders/{{ order_number }}', true],
    ['https://shop.test/orders?of={{visitor.user_id}}', true],
  ])('from the template for orders, at %s, looks up different orders: %s', (url, isNamed) => {
    expect(namesOrder(url)).toBe(isNamed)
  })

  test.each([
    ['shop.test/orders/{{order}}', 'https://shop.test'],
    ['HTTP://Shop.test:8080?x', 'http://shop.test:8080'],
    ['orders', null],
  ])('calls, at %s, the host %s', (url, host) => {
    expect(originOf(url)).toBe(host)
  })
})

describe('buttons and questions', () => {
  const bot = {
    widget: {
      greeting_buttons: [
        { type: 'question', label: 'Prices', question: 'What does it cost?' },
        { type: 'page', label: 'Shop', url: 'https://shop.test/' },
      ],
      answer_buttons: [{ type: 'action', label: 'Track', action_id: 'act_1' }],
      no_answer_buttons: [{ type: 'person', label: 'Talk to us' }],
    },
    handover: { questions: [{ ask: 'Topic?', label: 'Topic', type: 'choice', choices: ['A', 'B'] }] },
  } as unknown as Bot

  test('that nobody changed are saved as they were', () => {
    expect(writeFlows(readFlows(bot))).toEqual(bot)
  })

  test.each([
    [{ label: ' ' }, false],
    [{ label: 'Prices' }, true],
    [{ label: 'Track', type: 'action' }, false],
    [{ label: 'Shop', type: 'page', url: 'shop.test/a' }, true],
    [{ label: 'Shop', type: 'page', url: 'javascript:alert(1)' }, false],
  ] as const)('a button %o is complete: %s', (change, isComplete) => {
    expect(isButtonValid({ ...newButton(), ...change })).toBe(isComplete)
  })

  test('a choice needs two different choices, and each question a name of its own', () => {
    const question = { ...newQuestion(), ask: 'Topic?', label: 'Topic', type: 'choice' as const, choices: 'A\nB' }
    const isValid = (...questions: (typeof question)[]) =>
      areFlowsValid({ greeting: [], answer: [], noAnswer: [], questions })
    expect(isValid(question)).toBe(true)
    expect(isValid({ ...question, choices: 'A\n A \n' })).toBe(false)
    expect(isValid(question, { ...question, key: 'other' })).toBe(false)
  })
})

describe('translations of the questions before a handover', () => {
  /** The draft of a bot with one question and one translation of it. */
  function draftOf(question: { ask: string; choices?: string[] }, translation: { ask: string; choices?: string[] }) {
    const texts = { language: 'fr', greeting: null, suggested_questions: [], fallback_message: null, buttons: [] }
    return readAppearance({
      widget: {
        ...{ colour: '#0b6b66', pre_chat: null, proactive: null, proactive_messages: [], suggested_questions: [] },
        ...{ show_on: [], hide_on: [], greeting_buttons: [], answer_buttons: [], no_answer_buttons: [] },
      },
      handover: { questions: [{ label: 'Topic', ...question }] },
      translations: [{ ...texts, handover_questions: [{ label: 'Topic', text: null, ...translation }] }],
      allowed_origins: [],
    } as unknown as Bot)
  }
  const choices = ['Bill', 'Delivery']
  const french = ['Facture', 'Livraison']
  const isMissing = (draft: ReturnType<typeof draftOf>) => draft.translations[0]?.handover.some(isUntranslated)
  const written = (draft: ReturnType<typeof draftOf>) => writeAppearance(draft).translations[0]?.handover_questions

  test('lose the choices of a question that has none any more, and can be saved', () => {
    const draft = draftOf({ ask: 'Topic?' }, { ask: 'Sujet ?', choices: french })
    expect(findProblems(draft).translations).toBe(false)
    expect(isMissing(draft)).toBe(false)
    expect(written(draft)).toEqual([{ label: 'Topic', text: null, ask: 'Sujet ?' }])
  })

  test('are missing without the choices, and with the choices alone', () => {
    expect(isMissing(draftOf({ ask: 'Topic?', choices }, { ask: 'Sujet ?' }))).toBe(true)
    expect(isMissing(draftOf({ ask: 'Topic?', choices }, { ask: 'Sujet ?', choices: french }))).toBe(false)
    const onlyChoices = draftOf({ ask: 'Topic?', choices }, { ask: 'Topic?', choices: french })
    expect(isMissing(onlyChoices)).toBe(true)
    expect(written(onlyChoices)).toEqual([{ label: 'Topic', text: null, ask: 'Topic?', choices: french }])
  })
})

describe('the handover', () => {
  const bot = {
    handover: {
      enabled: true,
      on_low_confidence: false,
      keywords: ['agent', 'human'],
      wait_seconds: 60,
      response_minutes: 5,
      team: ['mem_1'],
      auto_assign: true,
      hours: { timezone: 'Europe/Vienna', open: [{ days: ['mon'], from: '09:00', to: '17:00' }] },
    },
    lead_form: {
      intro: 'Hello',
      fields: [{ name: 'email', label: null, type: 'email', required: true }],
      consent_text: null,
    },
    visitor_email: { replies: true, transcripts: false, reply_to: null },
  } as unknown as Bot

  test('that nobody changed is saved as it was', () => {
    expect(writeHandover(readHandover(bot))).toEqual(bot)
  })

  test('keeps the edited hours and form in the draft while they are switched off', () => {
    const draft = { ...readHandover(bot), hasHours: false, asksForLeads: false }
    expect(writeHandover(draft)).toMatchObject({ handover: { hours: null }, lead_form: null })
    expect(writeHandover({ ...draft, hasHours: true, asksForLeads: true })).toEqual(bot)
  })

  test('cannot be saved with an unfinished period, an unnamed field or more than 50 keywords', () => {
    const draft = readHandover(bot)
    expect(isHandoverValid(draft)).toBe(true)
    expect(isHandoverValid({ ...draft, openings: [{ ...makePeriod(), days: [] }] })).toBe(false)
    expect(isHandoverValid({ ...draft, hasHours: false, openings: [{ ...makePeriod(), to: '' }] })).toBe(true)
    expect(isHandoverValid({ ...draft, fields: [makeField(null)] })).toBe(false)
    expect(isHandoverValid({ ...draft, keywords: Array.from({ length: 51 }, (_, at) => `k${at}`).join('\n') })).toBe(
      false,
    )
    expect(areFieldsValid([])).toBe(false)
  })

  test('names new fields by their labels, none like another', () => {
    const labelled = (label: string) => ({ ...makeField(null), label })
    const names = writeFields([labelled('Größe'), labelled('größe!'), labelled('Email'), labelled('尺寸')]).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['grosse', 'grosse_2', 'email_2', 'field'])
  })
})

describe('a notification channel', () => {
  const channel = {
    kind: 'slack',
    name: 'Team',
    recipients: [],
    event_types: ['lead.created'],
    waiting_minutes: 5,
    digest_at: null,
    timezone: 'Europe/Vienna',
    quiet_hours: [{ days: ['sat', 'sun'], from: '00:00', to: '23:59' }],
    include_details: false,
  } as unknown as NotificationChannel

  test('that nobody changed is saved as it was, with the address the server keeps', () => {
    const { kind: _, recipients: _recipients, ...fields } = channel as NotificationChannel & Record<string, unknown>
    expect(writeChannel(readChannel(channel, 'email'))).toEqual(fields)
  })

  test('has quiet hours or a digest, not both', () => {
    const draft = { ...readChannel(channel, 'email'), isDigest: true, digestAt: '07:30' }
    expect(writeChannel(draft)).toMatchObject({ digest_at: '07:30', quiet_hours: [] })
    expect(isChannelComplete({ ...draft, digestAt: '' })).toBe(false)
    expect(isChannelComplete({ ...draft, events: [] })).toBe(false)
  })

  test('by mail has recipients and no address', () => {
    const emailChannel = writeChannel({
      ...readChannel(null, 'email'),
      url: 'hook.test',
      recipients: 'a@b.test\n\n c@d.test ',
    })
    expect(emailChannel).toMatchObject({ recipients: ['a@b.test', 'c@d.test'] })
    expect(emailChannel).not.toHaveProperty('url')
  })
})

test('a key and a model typed for one provider are not sent to another', () => {
  const savedDraft = readDraft({ language_model: { model: 'large-1' } } as Bot, 'first')
  const typedDraft = { ...savedDraft, key: 'sk-secret', model: 'large-2' }
  const local = {
    provider: 'openai_compatible',
    base_url: 'http://localhost:1',
    context_tokens: 1000,
    timeout_ms: 1000,
  }
  const chosenDraft = { ...typedDraft, ...chooseProvider('local', local as LanguageModelPreset, savedDraft) }
  expect(languageModel(chosenDraft)).toMatchObject({ base_url: 'http://localhost:1', model: '' })
  expect(languageModel(chosenDraft)).not.toHaveProperty('api_key')
  // Back to the saved one.
  expect(chooseProvider('first', undefined, savedDraft)).toMatchObject({ key: '', model: 'large-1' })
})

test('what a colleague saved meanwhile comes in, and what was typed here stays', () => {
  const base = { title: 'Help', colour: '#111111', hours: { from: '09:00' } }
  const draft = { ...base, title: 'Ask us' }
  const now = { title: 'Help', colour: '#222222', hours: { from: '08:00' } }
  expect(rebaseDraft({ base, draft }, now)).toEqual({ title: 'Ask us', colour: '#222222', hours: { from: '08:00' } })
})
