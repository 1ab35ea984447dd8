// The look of the widget as its form has it: texts may be empty, lists are lines.
import type { Bot, WidgetConfig, WidgetSettings } from '@docent/contract'
import { lines } from '../../text/lines.ts'

export interface AppearanceDraft {
  title: string
  greeting: string
  questions: string
  colour: string
  theme: WidgetSettings['theme']
  position: WidgetSettings['position']
  logo: string
  privacy: string
  speaksFirst: boolean
  message: string
  delay: number
  pages: string
  origins: string
  attachments: boolean
}

const DELAY_SECONDS = 20
const COLOUR = /^#[0-9a-f]{6}$/i
const ORIGIN = /^https?:\/\/[^\s/?#@]+\/?$/i
const MOST_QUESTIONS = 6

export function readLook({ widget, allowed_origins }: Bot): AppearanceDraft {
  const { title, greeting, suggested_questions, colour, theme, position, logo_url, privacy_url, proactive } = widget
  return {
    title: title ?? '',
    greeting: greeting ?? '',
    questions: suggested_questions.join('\n'),
    ...{ colour, theme, position },
    logo: logo_url ?? '',
    privacy: privacy_url ?? '',
    speaksFirst: proactive !== null,
    message: proactive?.message ?? '',
    delay: proactive?.delay_seconds ?? DELAY_SECONDS,
    pages: proactive?.page_pattern ?? '',
    origins: allowed_origins.join('\n'),
    attachments: widget.attachments,
  }
}

export function writeLook(draft: AppearanceDraft): { widget: WidgetSettings; allowed_origins: string[] } {
  const { colour, theme, position, message, delay } = draft
  const widget = {
    title: draft.title.trim() || null,
    greeting: draft.greeting.trim() || null,
    suggested_questions: lines(draft.questions),
    ...{ colour, theme, position },
    logo_url: draft.logo.trim() || null,
    privacy_url: draft.privacy.trim() || null,
    proactive: draft.speaksFirst
      ? { message: message.trim(), delay_seconds: delay, page_pattern: draft.pages.trim() || null }
      : null,
    attachments: draft.attachments,
  }
  return { widget, allowed_origins: lines(draft.origins).map((line) => line.replace(/\/$/, '')) }
}

/** What stands in the way of saving, by field. */
export function faultsOf({ colour, questions, origins, speaksFirst, message }: AppearanceDraft) {
  return {
    colour: !COLOUR.test(colour),
    questions: lines(questions).length > MOST_QUESTIONS,
    origin: lines(origins).find((line) => !ORIGIN.test(line)),
    message: speaksFirst && message.trim() === '',
  }
}

/** What the widget would be told. It speaks at once, and wherever it is, or there would be nothing to see. */
export function previewOf(bot: Bot, { widget }: ReturnType<typeof writeLook>): WidgetConfig {
  const { proactive, colour } = widget
  return {
    bot_id: bot.id,
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    ...widget,
    colour: COLOUR.test(colour) ? colour : bot.widget.colour,
    suggested_questions: widget.suggested_questions.slice(0, MOST_QUESTIONS),
    proactive: proactive?.message ? { ...proactive, delay_seconds: 0, page_pattern: null } : null,
    lead_form: bot.lead_form,
    handover: { enabled: bot.handover.enabled, open: true, wait_seconds: bot.handover.wait_seconds },
  }
}
