// The form for contact details. What was filled in stays until it has arrived.
import type { LeadForm } from '@docent/contract'
import { element, fill } from './element.ts'
import { Refusal } from './server.ts'
import type { View } from './view.ts'

const autocomplete: Record<string, string> = { name: 'name', email: 'email', phone: 'tel' }
const inputTypes = { text: 'text', email: 'email', phone: 'tel', long_text: '' }

let made = 0

export function leadForm({ intro, fields, consent_text }: LeadForm, view: View): HTMLElement {
  const { words, conversation, visitor, announce, focusComposer } = view
  const problem = element('p', { class: 'problem', role: 'alert' })
  const known: Record<string, string | undefined> = { ...visitor() }

  const rows = fields.map(({ name, label, type, required }) => {
    const common = {
      id: `field-${++made}`,
      name,
      autocomplete: autocomplete[name],
      'aria-required': required && 'true',
    }
    const input =
      type === 'long_text'
        ? element('textarea', { ...common, rows: 3, maxlength: 2000 })
        : element('input', { ...common, type: inputTypes[type], maxlength: 2000 })
    input.value = known[name] ?? ''
    const title = label ?? (name in words ? words[name as 'name'] : name)
    return { ...row(input, title, required ? '' : ` (${words.optional})`), required, type, name }
  })
  const tick = element('input', { type: 'checkbox', id: `field-${++made}` })
  const consent = consent_text ? row(tick, consent_text, '') : null
  const submit = element('button', { class: 'primary', type: 'submit' }, words.send)

  const form = element(
    'form',
    { class: 'lead', novalidate: true, 'aria-label': words.details, submit: send },
    intro && element('p', {}, intro),
    ...rows.map(({ node }) => node),
    consent?.node,
    problem,
    submit,
  )

  /** Tells what is wrong beside each field and goes to the first. */
  function complain(problems: Map<unknown, string>) {
    for (const { input, tell, name } of rows) tell(problems.get(name) ?? '', input)
    consent?.tell(problems.get(tick) ?? '', tick)
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  async function send(event: Event) {
    event.preventDefault()
    const problems = new Map<unknown, string>()
    const values: Record<string, string> = {}
    for (const { input, required, type, name } of rows) {
      const value = input.value.trim()
      if (value) values[name] = value
      else if (required) problems.set(name, words.required)
      if (value && type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) problems.set(name, words.badEmail)
    }
    if (consent && !tick.checked) problems.set(tick, words.agree)
    problem.textContent = ''
    complain(problems)
    if (problems.size > 0) return
    submit.disabled = true
    try {
      await conversation().leaveLead(values, tick.checked)
      fill(form, element('p', {}, words.received))
      announce(words.received)
      focusComposer()
    } catch (error) {
      const { details = [], status = 0, message = '' } = error instanceof Refusal ? error : {}
      for (const { path, message: why } of details) problems.set(path.split(/[./]/).at(-1), why)
      complain(problems)
      if (problems.size === 0) problem.textContent = status === 429 ? message : words.broken
    }
    submit.disabled = false
  }

  return form
}

function row<Input extends HTMLElement>(input: Input, title: string, suffix: string) {
  const complaint = element('span', { class: 'problem', id: `${input.id}-problem` })
  const label = element('label', { for: input.id }, title, suffix && element('small', {}, suffix))
  const isTick = input.getAttribute('type') === 'checkbox'
  const node = element(
    'div',
    { class: isTick ? 'field tick' : 'field' },
    ...(isTick ? [input, label] : [label, input]),
    complaint,
  )
  const tell = (text: string, target: Element) => {
    complaint.textContent = text
    target.setAttribute('aria-invalid', String(Boolean(text)))
    target.setAttribute('aria-describedby', complaint.id)
  }
  return { node, input, tell }
}
