// The settings of a bot that its widget shows and follows, taken apart and put together.
import { type BodyOf, type Bot, type ErrorDetail, Fault, type Routes } from '@docent/contract'
import { isTimezone } from '../conversations/office-hours.ts'
import type { BotRecord, WidgetRecord } from '../storage/bots.ts'

type Input = Pick<
  BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>,
  'widget' | 'lead_form' | 'handover' | 'allowed_origins'
>

/** The change, to be made to what is there by then; undefined when nothing was said. What is left out stays. */
export function readWidget(input: Input): ((old: WidgetRecord) => WidgetRecord) | undefined {
  const { widget, lead_form: leadForm, handover, allowed_origins: origins } = input
  if (!widget && leadForm === undefined && !handover && !origins) return undefined
  check(input)
  return (old) => ({
    look: { ...old.look, ...widget },
    leadForm: leadForm === undefined ? old.leadForm : leadForm,
    handover: { ...old.handover, ...handover },
    allowedOrigins: origins ? [...new Set(origins.map((origin) => new URL(origin).origin))] : old.allowedOrigins,
  })
}

/** What the schemas cannot tell. */
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

type Settings = Pick<Bot, 'widget' | 'lead_form' | 'handover' | 'allowed_origins' | 'retention_days'>

export function toWidgetSettings({ widget, retentionDays }: BotRecord): Settings {
  return {
    widget: widget.look,
    lead_form: widget.leadForm,
    handover: widget.handover,
    allowed_origins: widget.allowedOrigins,
    retention_days: retentionDays,
  }
}
