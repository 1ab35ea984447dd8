// The contact form. It keeps its values until they are sent.
import type { LeadForm, SentForm } from '@docent/contract'
import { requestContext } from '../chat/context.ts'
import { toServerError } from '../chat/server.ts'
import { element, fill } from '../view/element.ts'
import type { MoreTexts } from './more-texts.ts'
import type { MoreView } from './more-view.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

let fieldCount = 0

/** With `onDone` it is the form shown before the chat. */
export function leadForm({ intro, fields, consent_text }: LeadForm, view: MoreView, onDone?: () => void): HTMLElement {
  const { texts, moreTexts, server, store, conversation, visitor, announce, focusComposer } = view
  const knownDetails: Record<string, string | undefined> = { ...visitor().visitor }
  const problem = element('p', { class: 'problem', role: 'alert' })

  const rows = fields.map(({ name, label, type, required }) => {
    const common = { id: `field-${++fieldCount}`, maxlength: 2000, dir: 'auto', 'aria-required': required && 'true' }
    const autocomplete = name === 'phone' ? 'tel' : ['name', 'email'].includes(name) && name
    const input =
      type === 'long_text'
        ? element('textarea', { ...common, rows: 3 })
        : element('input', { ...common, autocomplete, type: type === 'phone' ? 'tel' : type })
    input.value = knownDetails[name] ?? ''
    const title = titleOf({ name, label }, moreTexts)
    return {
      ...row(input, title, required ? '' : ` (${moreTexts.optional})`),
      path: `fields.${name}`,
      title,
      name,
      type,
      required,
    }
  })
  const tick = element('input', { type: 'checkbox', id: `field-${++fieldCount}` })
  const consent = consent_text && row(tick, consent_text, '')
  const submit = element('button', { class: 'primary', type: 'submit' }, texts.send)
  const form = element(
    'form',
    { class: 'lead', novalidate: true, 'aria-label': moreTexts.details, submit: send },
    intro && element('p', { dir: 'auto' }, intro),
    ...rows.map(({ node }) => node),
    consent ? consent.node : null,
    problem,
    submit,
  )

  /** Shows the problem next to each field and focuses the first. */
  function showProblems(problems: Record<string, string>): boolean {
    for (const { path, tell } of rows) tell(problems[path] ?? '')
    if (consent) consent.tell(problems.consent ?? '')
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    return Object.keys(problems).length > 0
  }

  async function submitLead(fields: Record<string, string>) {
    const kind = onDone ? 'pre_chat' : 'lead'
    const body = { ...requestContext(view), form: kind, fields, consent: tick.checked }
    conversation().setSession(await (await server.ask('lead', body)).json())
    store.set({ hasLead: true })
    conversation().emit('lead', { fields })
  }

  async function send(event: Event) {
    event.preventDefault()
    const problems: Record<string, string> = {}
    const values: Record<string, string> = {}
    for (const { input, path, name, type, required } of rows) {
      const value = input.value.trim()
      if (value) values[name] = value
      else if (required) problems[path] = moreTexts.required
      if (value && type === 'email' && !EMAIL.test(value)) problems[path] = moreTexts.invalid
    }
    if (consent && !tick.checked) problems.consent = moreTexts.consent
    problem.textContent = ''
    if (showProblems(problems)) return
    submit.disabled = true
    try {
      await submitLead(values)
      if (onDone) onDone()
      else {
        // What was sent stays in the thread.
        const sentFields = fields.map(({ name, label }) => ({ name, label, value: values[name] ?? '' }))
        fill(form, ...sentNodes(sentFields, moreTexts))
        announce(moreTexts.received)
      }
      focusComposer()
    } catch (error) {
      const { details, status, message } = toServerError(error)
      if (!showProblems(Object.fromEntries(details.map(({ path }) => [path, moreTexts.invalid]))))
        problem.textContent = status === 429 ? message : texts.error
    }
    submit.disabled = false
  }

  return form
}

/** What was written into the form, as the history has it. */
export function sentForm({ fields }: SentForm, { moreTexts }: MoreView): HTMLElement {
  return element('div', { class: 'lead' }, ...sentNodes(fields, moreTexts))
}

function sentNodes(fields: SentForm['fields'], moreTexts: MoreTexts): HTMLElement[] {
  const sentValues = fields
    .filter(({ value }) => value)
    .map((field) =>
      element('p', { dir: 'auto' }, element('small', {}, titleOf(field, moreTexts)), element('br'), field.value),
    )
  return [element('p', {}, moreTexts.received), ...sentValues]
}

function titleOf({ name, label }: Pick<SentForm['fields'][number], 'name' | 'label'>, moreTexts: MoreTexts): string {
  return label ?? (name in moreTexts ? moreTexts[name as 'name'] : name)
}

function row<Input extends HTMLElement>(input: Input, title: string, suffix: string) {
  const complaint = element('span', { class: 'problem', id: `${input.id}-problem` })
  const label = element('label', { for: input.id, dir: 'auto' }, title, suffix && element('small', {}, suffix))
  const isTick = input.matches('[type=checkbox]')
  const node = element('div', { class: isTick ? 'field tick' : 'field' }, ...(isTick ? [input, label] : [label, input]))
  node.append(complaint)
  input.setAttribute('aria-describedby', complaint.id)
  const tell = (text: string) => {
    complaint.textContent = text
    input.setAttribute('aria-invalid', String(Boolean(text)))
  }
  return { node, input, tell }
}
