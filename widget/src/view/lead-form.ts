// The form for contact details. What was filled in stays until it has arrived.
import type { LeadForm } from '@docent/contract'
import { refusalOf } from '../chat/server.ts'
import { element, fill } from './element.ts'
import type { View } from './view.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

let made = 0

export function leadForm({ intro, fields, consent_text }: LeadForm, view: View): HTMLElement {
  const { words, conversation, visitor, announce, focusComposer } = view
  const known: Record<string, string | undefined> = { ...visitor() }
  const problem = element('p', { class: 'problem', role: 'alert' })

  const rows = fields.map(({ name, label, type, required }) => {
    const common = { id: `field-${++made}`, maxlength: 2000, dir: 'auto', 'aria-required': required && 'true' }
    const autocomplete = name === 'phone' ? 'tel' : ['name', 'email'].includes(name) && name
    const input =
      type === 'long_text'
        ? element('textarea', { ...common, rows: 3 })
        : element('input', { ...common, autocomplete, type: type === 'phone' ? 'tel' : type })
    input.value = known[name] ?? ''
    const title = label ?? (name in words ? words[name as 'name'] : name)
    return {
      ...row(input, title, required ? '' : ` (${words.optional})`),
      path: `fields.${name}`,
      name,
      type,
      required,
    }
  })
  const tick = element('input', { type: 'checkbox', id: `field-${++made}` })
  const consent = consent_text && row(tick, consent_text, '')
  const submit = element('button', { class: 'primary', type: 'submit' }, words.send)
  const form = element(
    'form',
    { class: 'lead', novalidate: true, 'aria-label': words.details, submit: send },
    intro && element('p', { dir: 'auto' }, intro),
    ...rows.map(({ node }) => node),
    consent ? consent.node : null,
    problem,
    submit,
  )

  /** Tells what is wrong beside each field and goes to the first. */
  function complain(problems: Record<string, string>): boolean {
    for (const { path, tell } of rows) tell(problems[path] ?? '')
    if (consent) consent.tell(problems.consent ?? '')
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    return Object.keys(problems).length > 0
  }

  async function send(event: Event) {
    event.preventDefault()
    const problems: Record<string, string> = {}
    const values: Record<string, string> = {}
    for (const { input, path, name, type, required } of rows) {
      const value = input.value.trim()
      if (value) values[name] = value
      else if (required) problems[path] = words.required
      if (value && type === 'email' && !EMAIL.test(value)) problems[path] = words.invalid
    }
    if (consent && !tick.checked) problems.consent = words.consent
    problem.textContent = ''
    if (complain(problems)) return
    submit.disabled = true
    try {
      await conversation().leaveLead(values, tick.checked)
      fill(form, element('p', {}, words.received))
      announce(words.received)
      focusComposer()
    } catch (error) {
      const { details, status, message } = refusalOf(error)
      if (!complain(Object.fromEntries(details.map(({ path }) => [path, words.invalid]))))
        problem.textContent = status === 429 ? message : words.error
    }
    submit.disabled = false
  }

  return form
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
