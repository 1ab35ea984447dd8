// The widget settings in the form of the page: texts may be empty, and lists are one item per line.
import type { Bot, LeadForm, Translation, WidgetConfig, WidgetSettings } from '@docent/contract'
import { BUTTONS_PER_PLACE, FURTHER_PROACTIVE_MESSAGES, PAGE_PATTERNS } from '@docent/contract/limits'
import { splitLines } from '../../text/split-lines.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { areFieldsValid, type FieldDraft, makeField, readFields, writeFields } from '../handover/handover-draft.ts'

export interface ProactiveDraft {
  key: number
  message: string
  delay: number
  pages: string
}

export interface TranslationDraft {
  language: Translation['language']
  greeting: string
  questions: string
  fallback: string
  buttons: ButtonTranslationDraft[]
  handover: QuestionTranslationDraft[]
}

/** A button of the bot, by the label that it is set to. */
export interface ButtonTranslationDraft {
  label: string
  /** Null: the button asks nothing but its label. */
  asks: string | null
  text: string
  question: string
}

/** A question before a handover, by the label that it is set to. */
export interface QuestionTranslationDraft {
  label: string
  asks: string
  options: string[]
  text: string
  ask: string
  /** One per line. */
  choices: string
}

export interface AppearanceDraft {
  title: string
  greeting: string
  questions: string
  translations: TranslationDraft[]
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
/** The first one is saved as the bot's `proactive`, the others as `proactive_messages`. */
export const MAX_MESSAGES = 1 + FURTHER_PROACTIVE_MESSAGES

let lastKey = 0

export function makeMessage(): ProactiveDraft {
  return { key: ++lastKey, message: '', delay: DELAY_SECONDS, pages: '' }
}

export function readAppearance(bot: Bot): AppearanceDraft {
  const { widget, translations, allowed_origins } = bot
  const { title, greeting, suggested_questions, colour, theme, position, font, logo_url, privacy_url } = widget
  const { proactive, proactive_messages, pre_chat } = widget
  return {
    title: title ?? '',
    greeting: greeting ?? '',
    questions: suggested_questions.join('\n'),
    translations: translations.map((texts) => ({
      ...newTranslation(bot, texts.language, texts),
      greeting: texts.greeting ?? '',
      questions: texts.suggested_questions.join('\n'),
      fallback: texts.fallback_message ?? '',
    })),
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

/** With a place for each button and question that the bot has now. */
export function newTranslation(
  { widget, handover }: Bot,
  language: Translation['language'],
  translation: Pick<Translation, 'buttons' | 'handover_questions'> = { buttons: [], handover_questions: [] },
): TranslationDraft {
  const all = [...widget.greeting_buttons, ...widget.answer_buttons, ...widget.no_answer_buttons]
  const distinct = all.filter(({ label }, index) => all.findIndex((other) => other.label === label) === index)
  return {
    language,
    greeting: '',
    questions: '',
    fallback: '',
    buttons: distinct.map((button) => {
      const { text = '', question } = translation.buttons.find(({ label }) => label === button.label) ?? {}
      const asks = button.type === 'question' ? (button.question ?? null) : null
      return { label: button.label, asks, text, question: question ?? '' }
    }),
    handover: handover.questions.map(({ label, ask: asks, choices: options = [] }) => {
      const { text, ask = '', choices = [] } = translation.handover_questions.find((one) => one.label === label) ?? {}
      // Translated choices are stored with the question as it is set, while that has no translation.
      return { label, asks, options, text: text ?? '', ask: ask === asks ? '' : ask, choices: choices.join('\n') }
    }),
  }
}

interface AppearanceBody {
  /** The buttons have a screen of their own. */
  widget: Omit<WidgetSettings, `${string}_buttons`>
  translations: Translation[]
  allowed_origins: string[]
}

export function writeAppearance(draft: AppearanceDraft): AppearanceBody {
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
  const translations = draft.translations.map(({ language, greeting, questions, fallback, buttons, handover }) => ({
    language,
    greeting: greeting.trim() || null,
    suggested_questions: splitLines(questions),
    fallback_message: fallback.trim() || null,
    buttons: buttons.flatMap(writeButton),
    handover_questions: handover.flatMap(writeQuestion),
  }))
  return { widget, translations, allowed_origins: splitLines(draft.origins).map((line) => line.replace(/\/$/, '')) }
}

function writeButton({ label, text, question }: ButtonTranslationDraft): Translation['buttons'] {
  if (!text.trim() && !question.trim()) return []
  return [{ label, text: text.trim() || label, question: question.trim() || null }]
}

function writeQuestion({
  label,
  asks,
  options,
  text,
  ask,
  choices,
}: QuestionTranslationDraft): Translation['handover_questions'] {
  const lines = options.length > 0 ? splitLines(choices) : []
  if (!text.trim() && !ask.trim() && lines.length === 0) return []
  return [
    { label, text: text.trim() || null, ask: ask.trim() || asks, ...(lines.length > 0 ? { choices: lines } : {}) },
  ]
}

/** Each choice needs its translation, in the same order. */
export function lacksChoices({ options, choices }: QuestionTranslationDraft): boolean {
  const count = splitLines(choices).length
  return options.length > 0 && count > 0 && count !== options.length
}

export function isUntranslated({ options, ask, choices }: QuestionTranslationDraft): boolean {
  return ask.trim() === '' || (options.length > 0 && choices.trim() === '')
}

function writePreChat({ intro, fields, consent }: AppearanceDraft): LeadForm {
  return { intro: intro.trim() || null, fields: writeFields(fields), consent_text: consent.trim() || null }
}

export function hasTooMany(questions: string): boolean {
  return splitLines(questions).length > BUTTONS_PER_PLACE
}

/** Problems that prevent saving, by field. */
export function findProblems(draft: AppearanceDraft) {
  const { colour, questions, origins, messages, showOn, hideOn, asksFirst, fields } = draft
  return {
    colour: !COLOUR.test(colour),
    questions: hasTooMany(questions),
    translations: draft.translations.some(
      ({ questions: texts, handover }) => hasTooMany(texts) || handover.some(lacksChoices),
    ),
    origin: splitLines(origins).find((line) => !ORIGIN.test(line)),
    message: messages.some(({ message }) => message.trim() === ''),
    pages: Math.max(splitLines(showOn).length, splitLines(hideOn).length) > PAGE_PATTERNS,
    fields: asksFirst && !areFieldsValid(fields),
  }
}

/**
 * The widget configuration of the preview. Proactive messages appear at once and on every page, or there would be
 * nothing to see.
 */
export function previewConfig(bot: Bot, { widget }: ReturnType<typeof writeAppearance>): WidgetConfig {
  const { proactive, colour } = widget
  const buttons = bot.widget.greeting_buttons.map(({ label }) => label)
  const labels = [...widget.suggested_questions, ...buttons].slice(0, BUTTONS_PER_PLACE)
  return {
    bot_id: bot.id,
    name: bot.name,
    language: bot.language,
    tone: bot.tone,
    ...widget,
    colour: COLOUR.test(colour) ? colour : bot.widget.colour,
    greeting_buttons: labels.map((label) => ({ id: label, type: 'reply', label })),
    proactive: proactive?.message ? { ...proactive, delay_seconds: 0, page_pattern: null } : null,
    proactive_messages: [],
    show_on: [],
    hide_on: [],
    attachments: widget.attachments && bot.handover.enabled,
    lead_form: bot.lead_form,
    handover: { enabled: bot.handover.enabled, open: true, wait_seconds: bot.handover.wait_seconds },
    requires_login: false,
  }
}
