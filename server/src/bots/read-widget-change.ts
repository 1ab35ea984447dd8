// Reads widget settings from a request.
import { type BodyOf, type ErrorDetail, Fault, type Routes } from '@docent/contract'
import { isTimezone } from '../local-time.ts'
import type { WidgetRecord } from '../storage/bots.ts'

type Input = Pick<
  BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>,
  'widget' | 'lead_form' | 'handover' | 'visitor_email' | 'allowed_origins'
>

/** The change to apply to the stored settings; absent fields stay. Undefined when the request has none. */
export function readWidgetChange(input: Input): ((old: WidgetRecord) => WidgetRecord) | undefined {
  const { widget, lead_form: leadForm, handover, visitor_email: email, allowed_origins: origins } = input
  if (!widget && leadForm === undefined && !handover && !email && !origins) return undefined
  check(input)
  return (old) => ({
    look: { ...old.look, ...widget },
    leadForm: leadForm === undefined ? old.leadForm : leadForm,
    handover: { ...old.handover, ...handover },
    visitorEmail: { ...old.visitorEmail, ...email },
    allowedOrigins: origins ? [...new Set(origins.map((origin) => new URL(origin).origin))] : old.allowedOrigins,
  })
}

/** Checks beyond the schema. */
function check({ lead_form: leadForm, handover, allowed_origins: origins = [] }: Input) {
  const details: ErrorDetail[] = []
  const timezone = handover?.hours?.timezone
  if (timezone !== undefined && !isTimezone(timezone)) {
    details.push({ path: 'handover.hours.timezone', message: 'Enter a time zone, such as Europe/Vienna.' })
  }
  const names = leadForm?.fields.map(({ name }) => name) ?? []
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      details.push({ path: `lead_form.fields.${index}.name`, message: 'Use each name only once.' })
  }
  for (const [index, origin] of origins.entries()) {
    if (!URL.canParse(origin))
      details.push({ path: `allowed_origins.${index}`, message: 'Enter a site, such as https://shop.example.' })
  }
  if (details.length > 0) throw new Fault('validation_failed', { details })
}
