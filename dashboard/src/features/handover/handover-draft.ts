// Handover settings and contact form as edited on the page.
import type { Bot, HandoverSettings, LeadForm } from '@docent/contract'
import { HANDOVER_KEYWORDS } from '@docent/contract/limits'
import { splitLines } from '../../text/split-lines.ts'

export type WeeklyPeriod = NonNullable<HandoverSettings['hours']>['open'][number] & { key: number }
type Field = LeadForm['fields'][number]
/** A new field has no name yet; it is derived from the label. */
export type FieldDraft = Omit<Field, 'name' | 'label'> & { key: number; name: string | null; label: string }

export interface HandoverDraft {
  enabled: boolean
  onLowConfidence: boolean
  keywords: string
  wait: number
  /** Null: no target. */
  responseMinutes: number | null
  /** Ids of members; empty: everyone. */
  team: string[]
  autoAssign: boolean
  hasHours: boolean
  timezone: string
  openings: WeeklyPeriod[]
  asksForLeads: boolean
  intro: string
  fields: FieldDraft[]
  consent: string
  mailsReplies: boolean
  mailsTranscripts: boolean
  replyTo: string
}

const knownTypes = { name: 'text', email: 'email', phone: 'phone', message: 'long_text' } as const
export type KnownField = keyof typeof knownTypes
export const knownFields = Object.keys(knownTypes) as KnownField[]

let lastKey = 0
const key = () => ++lastKey

export function makePeriod(): WeeklyPeriod {
  return { key: key(), days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }
}

export function readPeriods(periods: Omit<WeeklyPeriod, 'key'>[]): WeeklyPeriod[] {
  return periods.map((each) => ({ ...each, key: key() }))
}

export function writePeriods(periods: WeeklyPeriod[]): Omit<WeeklyPeriod, 'key'>[] {
  return periods.map(({ days, from, to }) => ({ days, from, to }))
}

export function arePeriodsValid(periods: WeeklyPeriod[]): boolean {
  return periods.every(({ days, from, to }) => days.length > 0 && from !== '' && to !== '')
}

export function makeField(name: KnownField | null): FieldDraft {
  return { key: key(), name, label: '', type: name ? knownTypes[name] : 'text', required: name === 'email' }
}

export function isKnownField(name: string | null): name is KnownField {
  return name !== null && name in knownTypes
}

export function readHandover({ handover, lead_form, visitor_email }: Bot): HandoverDraft {
  const { enabled, on_low_confidence, keywords, wait_seconds, response_minutes, team, auto_assign, hours } = handover
  return {
    enabled,
    onLowConfidence: on_low_confidence,
    keywords: keywords.join('\n'),
    wait: wait_seconds,
    responseMinutes: response_minutes,
    // A node of the previous version sends neither during an upgrade.
    team: team ?? [],
    autoAssign: auto_assign ?? false,
    hasHours: hours !== null,
    timezone: hours?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    openings: hours ? readPeriods(hours.open) : [makePeriod()],
    asksForLeads: lead_form !== null,
    intro: lead_form?.intro ?? '',
    fields: (lead_form && readFields(lead_form.fields)) ?? (['name', 'email', 'message'] as const).map(makeField),
    consent: lead_form?.consent_text ?? '',
    mailsReplies: visitor_email.replies,
    mailsTranscripts: visitor_email.transcripts,
    replyTo: visitor_email.reply_to ?? '',
  }
}

/** The questions have a screen of their own. */
type Written = Pick<Bot, 'lead_form' | 'visitor_email'> & { handover: Omit<HandoverSettings, 'questions'> }

export function writeHandover(draft: HandoverDraft): Written {
  const open = writePeriods(draft.openings)
  const handover = {
    enabled: draft.enabled,
    on_low_confidence: draft.onLowConfidence,
    keywords: splitLines(draft.keywords),
    hours: draft.hasHours ? { timezone: draft.timezone, open } : null,
    wait_seconds: draft.wait,
    response_minutes: draft.responseMinutes,
    team: draft.team,
    auto_assign: draft.autoAssign,
  }
  const visitor_email = {
    replies: draft.mailsReplies,
    transcripts: draft.mailsTranscripts,
    reply_to: draft.replyTo.trim() || null,
  }
  if (!draft.asksForLeads) return { handover, visitor_email, lead_form: null }
  const { intro, consent, fields } = draft
  return {
    handover,
    visitor_email,
    lead_form: { intro: intro.trim() || null, fields: writeFields(fields), consent_text: consent.trim() || null },
  }
}

export function isHandoverValid({
  keywords,
  hasHours,
  openings,
  enabled,
  asksForLeads,
  fields,
}: HandoverDraft): boolean {
  const areHoursValid = arePeriodsValid(openings)
  return (
    !hasTooManyKeywords(keywords) &&
    (!enabled || !hasHours || areHoursValid) &&
    (!asksForLeads || areFieldsValid(fields))
  )
}

export function areFieldsValid(fields: FieldDraft[]): boolean {
  return fields.length > 0 && fields.every(({ name, label }) => isKnownField(name) || label.trim() !== '')
}

export function hasTooManyKeywords(keywords: string): boolean {
  return splitLines(keywords).length > HANDOVER_KEYWORDS
}

export function readFields(fields: Field[]): FieldDraft[] {
  return fields.map((field) => ({ ...field, label: field.label ?? '', key: key() }))
}

export function writeFields(fields: FieldDraft[]): Field[] {
  const takenNames = new Set<string>([...knownFields, ...fields.flatMap(({ name }) => name ?? [])])
  return fields.map(({ name, label, type, required }) => {
    const fieldName = name ?? uniqueName(label, takenNames)
    takenNames.add(fieldName)
    return { name: fieldName, label: label.trim() || null, type, required }
  })
}

/** The field's name in leads and webhooks, derived from the label: letters, digits and underscores. */
function uniqueName(label: string, takenNames: Set<string>): string {
  const plain = label.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '')
  const letters = plain.replace(/[^a-z0-9]+/g, '_').replace(/^[^a-z]+|_+$/g, '')
  const base = letters.slice(0, 36) || 'field'
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}_${count}`
    if (!takenNames.has(name)) return name
  }
}
