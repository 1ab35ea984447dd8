// What a bot's owner decides about the widget, about leads, and about handing over to a person.
import { type Static, Type } from 'typebox'
import { EmailAddress, HttpUrl, NOT_BLANK, Nullable, OneOf } from '../schema.ts'

const Text = (maxLength: number, description: string) =>
  Nullable(Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, description }))

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f6f4f'] })

const Proactive = Type.Object({
  message: Type.String({ minLength: 1, maxLength: 300, pattern: NOT_BLANK }),
  delay_seconds: Type.Integer({ minimum: 0, maximum: 3600, description: 'After the page has loaded.' }),
  page_pattern: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only on pages whose address has this in it; `*` stands for anything. Null: on every page.',
    }),
  ),
})

const Picture = (description: string) =>
  Nullable(Type.String({ pattern: '^avt_[0-9a-v]{26}$', examples: ['avt_5g1n9q3ht75g1n9q3ht75g1n9q'], description }))

const PagePatterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK }), { maxItems: 20, description })

const launcherIcons = ['chat', 'question', 'person', 'spark'] as const

const LeadField = Type.Object({
  name: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    description: '`name`, `email`, `phone`, `message`, or your own.',
    examples: ['email'],
  }),
  label: Text(80, "Null: ours, in the visitor's language, for the four that we know."),
  type: OneOf(['text', 'email', 'phone', 'long_text']),
  required: Type.Boolean(),
})

export const LeadForm = Type.Object(
  {
    intro: Text(500, 'Above the fields.'),
    fields: Type.Array(LeadField, { minItems: 1, maxItems: 8 }),
    consent_text: Text(1000, 'With a box to tick; null: no box.'),
  },
  { $id: 'LeadForm' },
)
export type LeadForm = Static<typeof LeadForm>

export const WidgetSettings = Type.Object(
  {
    title: Text(60, "Above the conversation; null: the bot's name."),
    greeting: Text(1000, "Said first; null: our sentence in the visitor's language."),
    suggested_questions: Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK }), { maxItems: 6 }),
    colour: Colour,
    theme: OneOf(['auto', 'light', 'dark'], { description: '`auto` follows the visitor.' }),
    position: OneOf(['right', 'left']),
    logo_url: Nullable(HttpUrl),
    privacy_url: Nullable(HttpUrl),
    proactive: Nullable(Proactive),
    proactive_messages: Type.Array(Proactive, {
      maxItems: 5,
      description: 'More of them, each once: the first whose page and time have come.',
    }),
    avatar: Picture("The bot's picture, as it was uploaded; null: the logo."),
    team_avatar: Picture('Beside what agents write, as it was uploaded.'),
    launcher_text: Text(40, 'Beside the icon of the chat button.'),
    launcher_icon: OneOf(launcherIcons),
    offset_side_px: Type.Integer({ minimum: 0, maximum: 400, description: 'From the edge of the window.' }),
    offset_bottom_px: Type.Integer({ minimum: 0, maximum: 400 }),
    font: OneOf(['system', 'inherit'], { description: '`inherit`: the font of the page.' }),
    show_on: PagePatterns('Only on pages whose address has one of these in it; `*` stands for anything. Empty: all.'),
    hide_on: PagePatterns('Not on pages whose address has one of these in it.'),
    pre_chat: Nullable(LeadForm),
    chat_rating: Type.Boolean({ description: 'Visitors are asked for one to five stars when a person has helped.' }),
    sound: Type.Boolean({ description: 'A short tone for messages that arrive unseen; visitors can turn it off.' }),
    attachments: Type.Boolean({
      description: 'Whether visitors may send files, where handover is enabled and people can read them.',
    }),
  },
  { $id: 'WidgetSettings' },
)
export type WidgetSettings = Static<typeof WidgetSettings>

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const TimeOfDay = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$', examples: ['09:00'] })

export const Timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Vienna'] })

const Period = Type.Object({
  days: Type.Array(OneOf(weekdays), { minItems: 1, maxItems: 7 }),
  from: TimeOfDay,
  to: TimeOfDay,
})

const OfficeHours = Type.Object({ timezone: Timezone, open: Type.Array(Period, { maxItems: 14 }) })
export type OfficeHours = Static<typeof OfficeHours>

export const QuietHours = Type.Array(Period, {
  maxItems: 14,
  description: 'When nothing is sent; what happens meanwhile is sent as one message afterwards.',
})

export const HandoverSettings = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether people stand behind the bot at all.' }),
    on_low_confidence: Type.Boolean({
      description: 'A person is asked after two questions in a row without an answer.',
    }),
    keywords: Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }), {
      maxItems: 50,
      description: 'A message with one of these asks for a person.',
    }),
    hours: Nullable(OfficeHours),
    wait_seconds: Type.Integer({
      minimum: 10,
      maximum: 3600,
      description: 'After this long without a person the visitor is offered the lead form.',
    }),
  },
  { $id: 'HandoverSettings' },
)
export type HandoverSettings = Static<typeof HandoverSettings>

export const VisitorEmail = Type.Object(
  {
    replies: Type.Boolean({
      description: "A visitor who left an address and then the page gets an agent's replies by email.",
    }),
    transcripts: Type.Boolean({ description: 'Visitors can have the conversation sent to the address they left.' }),
    reply_to: Nullable(
      Type.Unsafe<string>({ ...EmailAddress, description: 'Where answers to these emails go; null: nowhere.' }),
    ),
  },
  { $id: 'VisitorEmail', description: 'Email to visitors; none is sent unless the instance has a mail server.' },
)
export type VisitorEmail = Static<typeof VisitorEmail>

export const defaultVisitorEmail: VisitorEmail = { replies: true, transcripts: true, reply_to: null }

export const defaultWidget: WidgetSettings = {
  title: null,
  greeting: null,
  suggested_questions: [],
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
}

export const DEFAULT_RETENTION_DAYS = 90

/** An origin as browsers send it: scheme, host and port, nothing more. */
export const Origin = Type.String({
  maxLength: 300,
  pattern: '^https?://(?:\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9.-]+)(?::\\d{1,5})?$',
  examples: ['https://shop.example'],
})

/** What CreateBot and PatchBot take; the parts of `widget` and `handover` that are left out stay as they are. */
export const widgetSettingsInput = {
  widget: Type.Optional(Type.Partial(WidgetSettings)),
  lead_form: Type.Optional(Nullable(LeadForm)),
  handover: Type.Optional(Type.Partial(HandoverSettings)),
  visitor_email: Type.Optional(Type.Partial(VisitorEmail)),
  allowed_origins: Type.Optional(Type.Array(Origin, { maxItems: 50 })),
  retention_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
}
