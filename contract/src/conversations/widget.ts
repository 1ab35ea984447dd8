// Messages between the widget and the server.
import { type Static, Type } from 'typebox'
import { HandoverSettings, LeadForm, WidgetSettings } from '../bots/widget-settings.ts'
import { availabilities } from '../knowledge/products.ts'
import { HttpUrl, Nullable, NullIsAbsent, OneOf, Timestamp } from '../schema.ts'
import { Attachments } from './attachments.ts'
import { Source } from './chat.ts'
import { DecisionField } from './decisions.ts'

export const handoverStatuses = ['none', 'requested', 'active', 'closed'] as const
export type HandoverStatus = (typeof handoverStatuses)[number]

const SessionId = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,128}$',
  description: 'Chosen by you for the conversation; generated and returned if omitted.',
})
const PageUrl = Type.Optional(HttpUrl)
const Locale = Type.Optional(
  Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$', examples: ['de-AT'] }),
)
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })

const VisitorInput = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  email: Type.Optional(Email),
})

export const WidgetMessage = Type.Object(
  {
    session_id: NullIsAbsent(SessionId),
    message: Type.String({ minLength: 1, maxLength: 4000, description: "The visitor's message text, trimmed." }),
    page_url: PageUrl,
    locale: Locale,
    visitor: Type.Optional(VisitorInput),
    stream: Type.Optional(Type.Boolean({ description: 'Answer as server-sent events.' })),
  },
  { $id: 'WidgetMessage' },
)
export type WidgetMessage = Static<typeof WidgetMessage>

const ProductCard = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    price: Nullable(Type.Number()),
    currency: Nullable(Type.String()),
    image_url: Nullable(Type.String()),
    url: Nullable(Type.String()),
    availability: Nullable(OneOf(availabilities)),
  },
  { $id: 'ProductCard' },
)

const Button = Type.Object(
  {
    id: Type.String(),
    type: OneOf(['reply', 'url', 'handover', 'lead_form', 'product']),
    label: Type.String(),
    value: Type.Optional(Type.String({ description: 'Sent as the next message by a `reply` button.' })),
    url: Type.Optional(Type.String()),
  },
  { $id: 'Button' },
)
export type Button = Static<typeof Button>

const Rateable = Type.Boolean({
  description: 'Whether the reply can be rated: small talk and handover requests cannot.',
})

const HandoverState = Type.Object({ status: OneOf(handoverStatuses) })

export const WidgetReply = Type.Object(
  {
    reply: Type.String({
      description: "The bot's reply in a small Markdown subset. Empty while a person has the conversation.",
    }),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the reply is right.' }),
    buttons: Type.Array(Button, { maxItems: 11 }),
    session_id: Type.String(),
    message_id: Nullable(Type.String({ description: 'The id of the reply; null if there is none.' })),
    visitor_message_id: Type.String(),
    answered: Type.Boolean(),
    decision: Nullable(DecisionField),
    rateable: Rateable,
    sources: Type.Array(Source),
    products: Type.Array(ProductCard),
    handover: HandoverState,
    lead_form: Nullable(LeadForm),
    language: Type.String(),
    created_at: Timestamp,
    visitor_token: Type.Optional(
      Type.String({ description: 'Only on first contact. Required for history, events and more.' }),
    ),
  },
  { $id: 'WidgetReply' },
)
export type WidgetReply = Static<typeof WidgetReply>

export const WidgetStream = Type.String({
  $id: 'WidgetStream',
  description:
    'Server-sent events: `start` {session_id, message_id, visitor_token?}, `delta` {text} any number of times, then `done` with the whole WidgetReply, or `error` with the error object and the `status` of the equivalent response. `done` is authoritative: show its `reply` instead of the deltas.',
})

export const WidgetConfig = Type.Object(
  {
    bot_id: Type.String(),
    name: Type.String(),
    language: Type.String(),
    tone: OneOf(['formal', 'casual']),
    ...WidgetSettings.properties,
    lead_form: Nullable(LeadForm),
    handover: Type.Object({
      enabled: HandoverSettings.properties.enabled,
      open: Type.Boolean({ description: 'Whether it is within office hours now.' }),
      wait_seconds: HandoverSettings.properties.wait_seconds,
    }),
  },
  { $id: 'WidgetConfig' },
)
export type WidgetConfig = Static<typeof WidgetConfig>

export const VisitorMessage = Type.Object(
  {
    id: Type.String(),
    role: OneOf(['visitor', 'bot', 'agent']),
    text: Type.String(),
    agent_name: Nullable(Type.String()),
    agent_avatar: Type.Optional(Type.String({ description: 'Of who wrote it, where the bot shows its team.' })),
    sources: Type.Array(Source),
    products: Type.Array(ProductCard),
    buttons: Type.Array(Button),
    attachments: Attachments,
    rating: Nullable(OneOf(['up', 'down'])),
    rateable: Rateable,
    created_at: Timestamp,
  },
  { $id: 'VisitorMessage' },
)
export type VisitorMessage = Static<typeof VisitorMessage>

export const SeenInput = Type.Object({
  session_id: Type.Optional(SessionId),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The time of the newest message on the screen. Default: now.',
    }),
  ),
})

export const TranscriptInput = Type.Object({ session_id: Type.Optional(SessionId) })

export const TranscriptAccepted = Type.Object(
  { sent_to: Type.String({ description: 'The address, masked except for its first letter and domain.' }) },
  { $id: 'TranscriptAccepted' },
)

export const HistoryQuery = Type.Object({
  session_id: Type.Optional(SessionId),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'A message id: returns only older ones.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
})

export const History = Type.Object(
  {
    session_id: Nullable(Type.String({ description: 'Null: this visitor no longer has a conversation.' })),
    messages: Type.Array(VisitorMessage, { description: 'Oldest first; the newest when there are more than `limit`.' }),
    has_more: Type.Boolean(),
    handover: Type.Object({ status: OneOf(handoverStatuses), agent_name: Nullable(Type.String()) }),
    has_lead: Type.Boolean({ description: 'Whether this visitor left contact details.' }),
    seen_until: Nullable(Type.String({ format: 'date-time', description: 'Until when an agent has seen messages.' })),
  },
  { $id: 'History' },
)
export type History = Static<typeof History>

export const EventsQuery = Type.Object({
  session_id: Type.Optional(SessionId),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'A message id: later ones are sent first.' })),
})

export const VisitorEvents = Type.String({
  $id: 'VisitorEvents',
  description:
    'Server-sent events until you disconnect: `message` with a VisitorMessage (id: its id), `handover` {status, agent_name}, `typing` {agent_name}, `seen` {until}: an agent has seen messages up to then. A comment every 25 seconds keeps the connection open. Read as a stream (`fetch`), because a browser’s EventSource cannot send the header.',
})

export const LeadInput = Type.Object(
  {
    session_id: NullIsAbsent(SessionId),
    form: Type.Optional(OneOf(['lead', 'pre_chat'], { description: 'Which form was filled in. Default: lead.' })),
    fields: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 2000 },
      maxProperties: 20,
      description: "Keyed by the field names of the bot's lead form.",
    }),
    consent: Type.Optional(Type.Boolean()),
    page_url: PageUrl,
    locale: Locale,
  },
  { $id: 'LeadInput' },
)
export type LeadInput = Static<typeof LeadInput>

/** Fields of every first contact other than a message. */
const contact = {
  session_id: Type.String(),
  visitor_token: WidgetReply.properties.visitor_token,
}

export const LeadAccepted = Type.Object({ ...contact, lead_id: Type.String() }, { $id: 'LeadAccepted' })
export type LeadAccepted = Static<typeof LeadAccepted>

export const HandoverInput = Type.Object(
  {
    session_id: NullIsAbsent(SessionId),
    action: Type.Optional(OneOf(['request', 'end'], { description: '`end`: return to the bot. Default: request.' })),
    page_url: PageUrl,
    locale: Locale,
  },
  { $id: 'HandoverInput' },
)
export type HandoverInput = Static<typeof HandoverInput>

export const HandoverAccepted = Type.Object(
  {
    ...contact,
    handover: HandoverState,
    reply: Type.String({ description: 'The text for the visitor.' }),
    lead_form: Nullable(LeadForm),
  },
  { $id: 'HandoverAccepted' },
)
export type HandoverAccepted = Static<typeof HandoverAccepted>

export const AttachmentAccepted = Type.Object(
  { messages: Type.Array(VisitorMessage, { description: 'The file, and perhaps a reply of the bot.' }) },
  { $id: 'AttachmentAccepted' },
)
export type AttachmentAccepted = Static<typeof AttachmentAccepted>

export const ChatRatingInput = Type.Object(
  {
    session_id: Type.Optional(SessionId),
    stars: Type.Integer({ minimum: 1, maximum: 5 }),
    reason: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1000 }))),
  },
  { $id: 'ChatRatingInput' },
)
export type ChatRatingInput = Static<typeof ChatRatingInput>

export const SourceQuery = Type.Object({
  section: Type.Optional(Type.String({ maxLength: 100, description: 'The fragment of the source URL, after #.' })),
})

export const SourceSection = Type.Object(
  {
    found: Type.Boolean({ description: 'False if it no longer exists, or the bot has no such pages.' }),
    title: Nullable(Type.String({ description: 'The title of the document.' })),
    headings: Type.Array(Type.String(), { description: 'Headings above the section, outermost first.' }),
    text: Type.String({ description: 'The section, or a message for the reader if there is none.' }),
    language: Type.String({ description: 'The language of the text.' }),
    bot: Type.Object({
      name: Type.String(),
      colour: WidgetSettings.properties.colour,
      logo_url: WidgetSettings.properties.logo_url,
      site_url: Nullable(Type.String()),
    }),
  },
  { $id: 'SourceSection' },
)
export type SourceSection = Static<typeof SourceSection>

export const FeedbackInput = Type.Object(
  {
    message_id: Type.String({ minLength: 1, maxLength: 100 }),
    rating: OneOf(['up', 'down']),
    reason: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1000 }))),
  },
  { $id: 'FeedbackInput' },
)
export type FeedbackInput = Static<typeof FeedbackInput>

export const VisitorHeaders = Type.Object({
  'x-visitor-token': Type.Optional(Type.String({ maxLength: 200, description: 'From the first reply.' })),
})
