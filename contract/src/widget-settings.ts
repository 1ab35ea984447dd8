// A bot's settings for the widget, leads and handover.
import type { Static } from 'typebox'
import { ACTION_INPUT_TYPES } from './actions.ts'
import { WIDGET_LANGUAGES } from './languages.ts'
import {
  BUTTONS_PER_PLACE,
  CHOICES_PER_QUESTION,
  FURTHER_PROACTIVE_MESSAGES,
  HANDOVER_KEYWORDS,
  HANDOVER_QUESTIONS,
  LEAD_FIELDS,
  PAGE_PATTERNS,
  PERIODS,
} from './limits.ts'
import { EmailAddress, HttpUrl, NOT_BLANK, Nullable, OneOf } from './schema.ts'
import { Type } from './type.ts'

const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, description }))

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f6f4f'] })

const Proactive = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 300, pattern: NOT_BLANK }),
  delay_seconds: Type.Integer({ minimum: 0, maximum: 3600, description: 'Delay after the page has loaded.' }),
  page_pattern: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only on pages whose URL contains this; `*` matches anything. Null: on every page.',
    }),
  ),
})

const Picture = (description: string) =>
  Nullable(Type.String({ pattern: '^avt_[0-9a-v]{26}$', examples: ['avt_5g1n9q3ht75g1n9q3ht75g1n9q'], description }))

const PagePatterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK }), {
    maxItems: PAGE_PATTERNS,
    description,
  })

const LAUNCHER_ICONS = ['chat', 'question', 'person', 'spark'] as const

const LeadField = Type.Object({
  name: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    description: '`name`, `email`, `phone`, `message`, or a custom name.',
    examples: ['email'],
  }),
  label: Text(80, "Null: the built-in label in the visitor's language, for the four standard fields."),
  type: OneOf(['text', 'email', 'phone', 'long_text']),
  required: Type.Boolean(),
})

export const LeadForm = Type.Object(
  {
    intro: Text(500, 'Shown above the fields.'),
    fields: Type.Array(LeadField, { minItems: 1, maxItems: LEAD_FIELDS }),
    consent_text: Text(1000, 'Shown with a checkbox; null: no checkbox.'),
  },
  { $id: 'LeadForm' },
)
export type LeadForm = Static<typeof LeadForm>

const buttonLabel = { minLength: 1, maxLength: 200, pattern: NOT_BLANK }
const flowButton = { label: Type.String(buttonLabel) }

export const FlowButton = Type.Union(
  [
    Type.Object({
      type: OneOf(['question'], { description: 'Asks the bot.' }),
      ...flowButton,
      question: Type.Optional(Text(500, 'What is asked; default: the label.')),
    }),
    Type.Object({
      type: OneOf(['action'], { description: 'Starts an action; shown while it is live.' }),
      ...flowButton,
      action_id: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    Type.Object({ type: OneOf(['page'], { description: 'Opens a page.' }), ...flowButton, url: HttpUrl }),
    Type.Object({
      type: OneOf(['form', 'person'], {
        description:
          '`form` opens the lead form, if the bot has one. `person` asks for a person; when nobody is available, it opens the lead form.',
      }),
      ...flowButton,
    }),
  ],
  { $id: 'FlowButton', description: 'A button for visitors.' },
)
export type FlowButton = Static<typeof FlowButton>

const FlowButtons = (description: string) => Type.Array(FlowButton, { maxItems: BUTTONS_PER_PLACE, description })

export const WidgetSettings = Type.Object(
  {
    title: Text(60, "Shown above the conversation; null: the bot's name."),
    greeting: Text(1000, "The greeting; null: the built-in one in the visitor's language."),
    suggested_questions: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }), {
      maxItems: BUTTONS_PER_PLACE,
    }),
    greeting_buttons: FlowButtons(
      `With the greeting, after \`suggested_questions\`; at most ${BUTTONS_PER_PLACE} in all are shown.`,
    ),
    answer_buttons: FlowButtons('Under every answer.'),
    no_answer_buttons: FlowButtons('When the bot has no answer. Empty: `answer_buttons`.'),
    colour: Colour,
    theme: OneOf(['auto', 'light', 'dark'], { description: '`auto` follows the system setting of the visitor.' }),
    position: OneOf(['right', 'left']),
    logo_url: Nullable(HttpUrl),
    privacy_url: Nullable(HttpUrl),
    proactive: Nullable(Proactive),
    proactive_messages: Type.Array(Proactive, {
      maxItems: FURTHER_PROACTIVE_MESSAGES,
      description: 'Further proactive messages, each shown once: the first whose page and delay match.',
    }),
    avatar: Picture("The bot's uploaded avatar; null: the logo."),
    team_avatar: Picture('The uploaded avatar of the team, shown beside messages of agents.'),
    launcher_text: Text(40, 'Shown beside the icon of the chat button.'),
    launcher_icon: OneOf(LAUNCHER_ICONS),
    offset_side_px: Type.Integer({ minimum: 0, maximum: 400, description: 'Distance from the edge of the window.' }),
    offset_bottom_px: Type.Integer({ minimum: 0, maximum: 400 }),
    font: OneOf(['system', 'inherit'], { description: '`inherit`: the font of the page.' }),
    show_on: PagePatterns('Only on pages whose URL contains one of these; `*` matches anything. Empty: all.'),
    hide_on: PagePatterns('Not on pages whose URL contains one of these.'),
    pre_chat: Nullable(LeadForm),
    chat_rating: Type.Boolean({ description: 'Asks visitors for one to five stars after a person has helped.' }),
    sound: Type.Boolean({ description: 'Plays a short tone for unseen messages; visitors can turn it off.' }),
    attachments: Type.Boolean({
      description: 'Whether visitors may send files. Requires handover, so that somebody can read them.',
    }),
  },
  { $id: 'WidgetSettings' },
)
export type WidgetSettings = Static<typeof WidgetSettings>

const questionLabel = { minLength: 1, maxLength: 80, pattern: NOT_BLANK, examples: ['Topic'] }
const questionText = { minLength: 1, maxLength: 300, pattern: NOT_BLANK }
const questionChoice = Type.String({ minLength: 1, maxLength: 80, pattern: NOT_BLANK })

const ButtonTranslation = Type.Object(
  {
    label: Type.String({ ...buttonLabel, description: 'Of the button, as it is set.' }),
    text: Type.String({ ...buttonLabel, examples: ['Rückgabe'], description: 'What visitors read.' }),
    question: Type.Optional(Text(500, 'What is asked instead of `question`, or of `text`.')),
  },
  { $id: 'ButtonTranslation' },
)

const HandoverTranslation = Type.Object(
  {
    label: Type.String({ ...questionLabel, description: 'Of the question, as it is set. Agents still read this one.' }),
    text: Type.Optional(Text(80, 'The label in this language, where a visitor may read it.')),
    ask: Type.String({ ...questionText, examples: ['Worum geht es?'] }),
    choices: Type.Optional(
      Type.Array(questionChoice, {
        maxItems: CHOICES_PER_QUESTION,
        uniqueItems: true,
        description: 'In the order of the question’s `choices`, and as many; otherwise those are shown.',
      }),
    ),
  },
  { $id: 'HandoverTranslation' },
)

const ownTexts = {
  greeting: WidgetSettings.properties.greeting,
  suggested_questions: WidgetSettings.properties.suggested_questions,
  fallback_message: Text(1000, 'Sent when there is no answer.'),
  buttons: Type.Array(ButtonTranslation, {
    maxItems: 3 * BUTTONS_PER_PLACE,
    description: 'Buttons without a translation are shown as they are set.',
  }),
  handover_questions: Type.Array(HandoverTranslation, {
    maxItems: HANDOVER_QUESTIONS,
    description: 'Questions before a handover; those without a translation are asked as they are set.',
  }),
}

export const Translation = Type.Object(
  { language: OneOf(WIDGET_LANGUAGES), ...ownTexts },
  {
    $id: 'Translation',
    description:
      "The bot's own texts in one language. Where a text is missing, visitors get the one without a language, unless that is clearly in another language; then the built-in text.",
  },
)
export type Translation = Static<typeof Translation>

export const TranslationsInput = Type.Array(
  Type.Object({ language: OneOf(WIDGET_LANGUAGES), ...Type.Partial(Type.Object(ownTexts)).properties }),
  { maxItems: WIDGET_LANGUAGES.length, description: 'Replaces all translations.' },
)

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const TimeOfDay = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$', examples: ['09:00'] })

export const Timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Vienna'] })

const Period = Type.Object({
  days: Type.Array(OneOf(WEEKDAYS), { minItems: 1, maxItems: 7 }),
  from: TimeOfDay,
  to: TimeOfDay,
})

export const OfficeHours = Type.Object({ timezone: Timezone, open: Type.Array(Period, { maxItems: PERIODS }) })
export type OfficeHours = Static<typeof OfficeHours>

export const QuietHours = Type.Array(Period, {
  maxItems: PERIODS,
  description: 'Nothing is sent during these hours; events are sent as one message afterwards.',
})

const HandoverQuestion = Type.Object(
  {
    label: Type.String({ ...questionLabel, description: 'Names the answer for agents and webhooks.' }),
    ask: Type.String({ ...questionText, examples: ['What is it about?'] }),
    type: OneOf(ACTION_INPUT_TYPES),
    choices: Type.Optional(
      Type.Array(questionChoice, {
        maxItems: CHOICES_PER_QUESTION,
        uniqueItems: true,
        description: 'For the type `choice`: at least two, shown as buttons.',
      }),
    ),
  },
  { $id: 'HandoverQuestion' },
)
export type HandoverQuestion = Static<typeof HandoverQuestion>

export const HandoverSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether the bot can hand over to people.' }),
    on_low_confidence: Type.Boolean({
      description: 'Requests a person after two consecutive unanswered questions.',
    }),
    keywords: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }), {
      maxItems: HANDOVER_KEYWORDS,
      description: 'A message that contains one of these requests a person.',
    }),
    hours: Nullable(OfficeHours),
    wait_seconds: Type.Integer({
      minimum: 10,
      maximum: 3600,
      description: 'The lead form is offered if nobody has answered after this time.',
    }),
    response_minutes: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        description: 'Within how many minutes a visitor who asks for a person should get one; null: no target.',
      }),
    ),
    team: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 200,
      uniqueItems: true,
      description:
        'Ids of the members who take the conversations of this bot; everyone with at least the role agent if it is empty or none of them can take conversations any more. A person is offered only while one of them is available.',
    }),
    auto_assign: Type.Boolean({
      description: 'Assigns a new request to the available member of the team with the fewest open conversations.',
    }),
    questions: Type.Array(HandoverQuestion, {
      maxItems: HANDOVER_QUESTIONS,
      description:
        'Asked in the widget, one at a time, before a person is requested. Visitors can skip them; agents see the answers in a note.',
    }),
  },
  { $id: 'HandoverSettings' },
)
export type HandoverSettings = Static<typeof HandoverSettings>

export const VisitorEmail = Type.Object(
  {
    replies: Type.Boolean({
      description: "Emails an agent's replies to visitors who left an address and have left the page.",
    }),
    transcripts: Type.Boolean({ description: 'Visitors can have the conversation emailed to the address they left.' }),
    reply_to: Nullable(
      Type.Unsafe<string>({ ...EmailAddress, description: 'Reply-to address of these emails; null: none.' }),
    ),
  },
  { $id: 'VisitorEmail', description: 'Email to visitors. Requires a mail server.' },
)
export type VisitorEmail = Static<typeof VisitorEmail>

export const defaultVisitorEmail: VisitorEmail = { replies: true, transcripts: true, reply_to: null }

export const IdentitySettings = Type.Object(
  {
    require_for_chat: Type.Boolean({ description: 'Whether only verified visitors can use the widget.' }),
    require_for_actions: Type.Boolean({
      description: 'Whether actions are for verified visitors only, whatever the `audience` of each.',
    }),
  },
  { $id: 'IdentitySettings', description: 'What visitors must be verified for.' },
)
export type IdentitySettings = Static<typeof IdentitySettings>

export const defaultIdentity: IdentitySettings = { require_for_chat: false, require_for_actions: false }

export const defaultWidget: WidgetSettings = {
  title: null,
  greeting: null,
  suggested_questions: [],
  greeting_buttons: [],
  answer_buttons: [],
  no_answer_buttons: [],
  colour: '#2f6f4f',
  theme: 'auto',
  position: 'right',
  logo_url: null,
  privacy_url: null,
  proactive: null,
  proactive_messages: [],
  avatar: null,
  team_avatar: null,
  launcher_text: null,
  launcher_icon: 'chat',
  offset_side_px: 20,
  offset_bottom_px: 20,
  font: 'system',
  show_on: [],
  hide_on: [],
  pre_chat: null,
  chat_rating: true,
  sound: false,
  attachments: true,
}

export const defaultLeadForm: LeadForm = {
  intro: null,
  fields: [
    { name: 'name', label: null, type: 'text', required: false },
    { name: 'email', label: null, type: 'email', required: true },
    { name: 'message', label: null, type: 'long_text', required: false },
  ],
  consent_text: null,
}

export const defaultHandover: HandoverSettings = {
  enabled: true,
  on_low_confidence: true,
  keywords: [],
  hours: null,
  wait_seconds: 120,
  response_minutes: null,
  team: [],
  auto_assign: false,
  questions: [],
}

/** An origin as browsers send it: scheme, host and port only. */
const Origin = Type.String({
  maxLength: 300,
  pattern: '^https?://(?:\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)(?::\\d{1,5})?$',
  examples: ['https://shop.example'],
})

/** Accepted by CreateBot and PatchBot; omitted parts of `widget` and `handover` stay unchanged. */
export const widgetSettingsInput = {
  widget: Type.Optional(Type.Partial(WidgetSettings)),
  lead_form: Type.Optional(Nullable(LeadForm)),
  handover: Type.Optional(Type.Partial(HandoverSettings)),
  visitor_email: Type.Optional(Type.Partial(VisitorEmail)),
  identity: Type.Optional(Type.Partial(IdentitySettings)),
  allowed_origins: Type.Optional(Type.Array(Origin, { maxItems: 50 })),
  retention_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
}
