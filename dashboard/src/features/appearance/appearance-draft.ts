// The widget settings in the form of the page: texts may be empty, and lists are one item per line.
import type { Bot, LeadForm, WidgetConfig, WidgetSettings } from '@docent/contract'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { areFieldsValid, type FieldDraft, makeField, readFields, writeFields } from '../handover/handover-draft.ts'

export interface ProactiveDraft {
  key: number
  message: string
  delay: number
  pages: string
}

export interface AppearanceDraft {
  title: string
  greeting: string
  questions: string
  colour: string
  theme: WidgetSettings['theme']
  position: WidgetSettings['position']
  font: WidgetSettings['font']
  logo: string
  avatar: string | null
  teamAvatar: string | null
  privacy: string
  launcherText: string
  launcherIcon: WidgetSettings['launcher_icon']
  offsetSide: number
  offsetBottom: number
  showOn: string
  hideOn: string
  messages: ProactiveDraft[]
  asksFirst: boolean
  intro: string
  fields: FieldDraft[]
  consent: string
  attachments: boolean
  rating: boolean
  sound: boolean
  origins: string
}

const DELAY_SECONDS = 20
const COLOUR = /^#[0-9a-f]{6}$/i
const ORIGIN = /^https?:\/\/[^\s/?#@]+\/?$/i
const MAX_QUESTIONS = 6
const MAX_PAGES = 20
/** The first one is saved as the bot's `proactive`, the others as `proactive_messages`. */
export const MAX_MESSAGES = 6

let lastKey = 0

export function makeMessage(): ProactiveDraft {
  return { key: ++lastKey, message: '', delay: DELAY_SECONDS, pages: '' }
}

export function readAppearance({ widget, allowed_origins }: Bot): AppearanceDraft {
  const { title, greeting, suggested_questions, colour, theme, position, font, logo_url, privacy_url } = widget
  const { proactive, proactive_messages, pre_chat } = widget
  return {
    title: title ?? '',
    greeting: greeting ?? '',
    questions: suggested_questions.join('\n'),
    colour,
    theme,
    position,
    font,
    logo: logo_url ?? '',
    avatar: widget.avatar,
    teamAvatar: widget.team_avatar,
    privacy: privacy_url ?? '',
    launcherText: widget.launcher_text ?? '',
    launcherIcon: widget.launcher_icon,
    offsetSide: widget.offset_side_px,
    offsetBottom: widget.offset_bottom_px,
    showOn: widget.show_on.join('\n'),
    hideOn: widget.hide_on.join('\n'),
    messages: [...(proactive ? [proactive] : []), ...proactive_messages].map((each) => ({
      key: ++lastKey,
      message: each.message,
      delay: each.delay_seconds,
      pages: each.page_pattern ?? '',
    })),
    asksFirst: pre_chat !== null,
    intro: pre_chat?.intro ?? '',
    fields: pre_chat ? readFields(pre_chat.fields) : (['name', 'email'] as const).map(makeField),
    consent: pre_chat?.consent_text ?? '',
    attachments: widget.attachments,
    rating: widget.chat_rating,
    sound: widget.sound,
    origins: allowed_origins.join('\n'),
  }
}

export function writeAppearance(draft: AppearanceDraft): { widget: WidgetSettings; allowed_origins: string[] } {
  const { colour, theme, position, font, attachments, sound } = draft
  const [proactive = null, ...proactive_messages] = draft.messages.map(({ message, delay, pages }) => ({
    message: message.trim(),
    delay_seconds: delay,
    page_pattern: pages.trim() || null,
  }))
  const widget = {
    title: draft.title.trim() || null,
    greeting: draft.greeting.trim() || null,
    suggested_questions: splitLines(draft.questions),
    colour,
    theme,
    position,
    font,
    logo_url: withScheme(draft.logo) || null,
    avatar: draft.avatar,
    team_avatar: draft.teamAvatar,
    privacy_url: withScheme(draft.privacy) || null,
    launcher_text: draft.launcherText.trim() || null,
    launcher_icon: draft.launcherIcon,
    offset_side_px: draft.offsetSide,
    offset_bottom_px: draft.offsetBottom,
    show_on: splitLines(draft.showOn),
    hide_on: splitLines(draft.hideOn),
    proactive,
    proactive_messages,
    pre_chat: draft.asksFirst ? writePreChat(draft) : null,
    chat_rating: draft.rating,
    attachments,
    sound,
  }
  return { widget, allowed_origins: splitLines(draft.origins).map((line) => line.replace(/\/$/, '')) }
}

function writePreChat({ intro, fields, consent }: AppearanceDraft): LeadForm {
  return { intro: intro.trim() || null, fields: writeFields(fields), consent_text: consent.trim() || null }
}

/** Problems that prevent saving, by field. */
export function findProblems(draft: AppearanceDraft) {
  const { colour, questions, origins, messages, showOn, hideOn, asksFirst, fields } = draft
  return {
    colour: !COLOUR.test(colour),
    questions: splitLines(questions).length > MAX_QUESTIONS,
    origin: splitLines(origins).find((line) => !ORIGIN.test(line)),
    message: messages.some(({ message }) => message.trim() === ''),
    pages: Math.max(splitLines(showOn).length, splitLines(hideOn).length) > MAX_PAGES,
    fields: asksFirst && !areFieldsValid(fields),
  }
}

/**
 * The widget configuration of the preview. Proactive messages appear at once and on every page, or there would be
 * nothing to see.
 */
export function previewConfig(bot: Bot, { widget }: ReturnType<typeof writeAppearance>): WidgetConfig {
  const { proactive, colour } = widget
  return {
    bot_id: bot.id,
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    ...widget,
    colour: COLOUR.test(colour) ? colour : bot.widget.colour,
    suggested_questions: widget.suggested_questions.slice(0, MAX_QUESTIONS),
    proactive: proactive?.message ? { ...proactive, delay_seconds: 0, page_pattern: null } : null,
    proactive_messages: [],
    show_on: [],
    hide_on: [],
    attachments: widget.attachments && bot.handover.enabled,
    lead_form: bot.lead_form,
    handover: { enabled: bot.handover.enabled, open: true, wait_seconds: bot.handover.wait_seconds },
  }
}
