// The widget's messages and routes: public by bot id, for the bot's allowed origins. Earlier messages are readable only
// with the visitor's token.
import type { Static } from 'typebox'
import { ActionField } from './actions.ts'
import { AttachmentInput, Attachments } from './attachments.ts'
import { Button, DecisionField, Metadata, Source } from './chat.ts'
import { Identified, IdentifyInput, userProof } from './identity.ts'
import { AVAILABILITIES } from './products.ts'
import { INPUT_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Nullable, NullIsAbsent, OneOf, Timestamp } from './schema.ts'
import { Type } from './type.ts'
import { HandoverSettings, LeadForm, Timezone, WidgetSettings } from './widget-settings.ts'

export const HANDOVER_STATUSES = ['none', 'requested', 'active', 'closed'] as const
export type HandoverStatus = (typeof HANDOVER_STATUSES)[number]

const SessionId = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,128}$',
  description: 'Chosen by you for the conversation; generated and returned if omitted.',
})
const Locale = Type.Optional(
  Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$', examples: ['de-AT'] }),
)

/** What the page tells with every call that can begin a conversation. */
const pageContext = {
  page_url: Type.Optional(HttpUrl),
  referrer: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        "The browser's `document.referrer` when the conversation begins. Kept without its query, and only if it is another site.",
    }),
  ),
  locale: Locale,
  timezone: Type.Optional(
    Type.String({ ...Timezone, description: "Of the visitor's browser, to tell times in it. Ignored if unknown." }),
  ),
  metadata: Type.Optional(Metadata),
}
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' })

const VisitorInput = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  email: Type.Optional(Email),
})

export const WidgetMessage = Type.Object(
  {
    session_id: NullIsAbsent(SessionId),
    message: Type.String({ minLength: 1, maxLength: 4000, description: "The visitor's message text, trimmed." }),
    ...pageContext,
    visitor: Type.Optional(VisitorInput),
    stream: Type.Optional(Type.Boolean({ description: 'Answer as server-sent events.' })),
    ...userProof,
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
    availability: Nullable(OneOf(AVAILABILITIES)),
  },
  { $id: 'ProductCard' },
)

const Rateable = Type.Boolean({
  description: 'Whether the reply can be rated: small talk and handover requests cannot.',
})

const HandoverState = Type.Object({ status: OneOf(HANDOVER_STATUSES) })

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
    action: Type.Optional(ActionField),
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

const WidgetStream = Type.String({
  $id: 'WidgetStream',
  description:
    'Server-sent events: `start` {session_id, message_id, visitor_token?}, `delta` {text} any number of times, then `done` with the whole WidgetReply, or `error` with the error object and the `status` of the equivalent response. `done` is authoritative: show its `reply` instead of the deltas.',
})

const { answer_buttons: _answer, no_answer_buttons: _noAnswer, ...publicSettings } = WidgetSettings.properties

export const WidgetConfig = Type.Object(
  {
    bot_id: Type.String(),
    name: Type.String(),
    language: Type.String(),
    tone: OneOf(['formal', 'casual']),
    ...publicSettings,
    greeting_buttons: Type.Array(Button, { maxItems: 6, description: 'With the greeting; suggested questions too.' }),
    lead_form: Nullable(LeadForm),
    handover: Type.Object({
      enabled: HandoverSettings.properties.enabled,
      open: Type.Boolean({ description: 'Whether it is within office hours now.' }),
      wait_seconds: HandoverSettings.properties.wait_seconds,
    }),
    requires_login: Type.Boolean({ description: 'Whether only verified visitors can use the widget.' }),
  },
  { $id: 'WidgetConfig' },
)
export type WidgetConfig = Static<typeof WidgetConfig>

const SentForm = Type.Object(
  {
    fields: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Nullable(Type.String({ description: 'Null: the built-in label, for the four standard fields.' })),
        value: Type.String(),
      }),
    ),
  },
  { $id: 'SentForm', description: 'What the visitor wrote into the contact form after this message.' },
)
export type SentForm = Static<typeof SentForm>

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
    form: Type.Optional(SentForm),
    created_at: Timestamp,
  },
  { $id: 'VisitorMessage' },
)
export type VisitorMessage = Static<typeof VisitorMessage>

const SeenInput = Type.Object({
  session_id: Type.Optional(SessionId),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'The time of the newest message on the screen. Default: now.',
    }),
  ),
})

const TranscriptInput = Type.Object({ session_id: Type.Optional(SessionId) })

const TranscriptAccepted = Type.Object(
  { sent_to: Type.String({ description: 'The address, masked except for its first letter and domain.' }) },
  { $id: 'TranscriptAccepted' },
)

const HistoryQuery = Type.Object({
  session_id: Type.Optional(SessionId),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'A message id: returns only older ones.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
})

export const History = Type.Object(
  {
    session_id: Nullable(Type.String({ description: 'Null: this visitor no longer has a conversation.' })),
    messages: Type.Array(VisitorMessage, { description: 'Oldest first; the newest when there are more than `limit`.' }),
    has_more: Type.Boolean(),
    handover: Type.Object({ status: OneOf(HANDOVER_STATUSES), agent_name: Nullable(Type.String()) }),
    has_lead: Type.Boolean({ description: 'Whether this visitor left contact details.' }),
    seen_until: Nullable(Type.String({ format: 'date-time', description: 'Until when an agent has seen messages.' })),
  },
  { $id: 'History' },
)
export type History = Static<typeof History>

const EventsQuery = Type.Object({
  session_id: Type.Optional(SessionId),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'A message id: later ones are sent first.' })),
})

const VisitorEvents = Type.String({
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
    ...pageContext,
    ...userProof,
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
    ...pageContext,
    ...userProof,
  },
  { $id: 'HandoverInput' },
)
export type HandoverInput = Static<typeof HandoverInput>

export const HandoverAccepted = Type.Object(
  {
    ...contact,
    handover: HandoverState,
    reply: Type.String({ description: 'The text for the visitor.' }),
    message_id: Nullable(
      Type.String({ description: 'If the reply is a message: a question to answer before a person is requested.' }),
    ),
    buttons: Type.Array(Button, { description: 'Choices for that question, and ways out.' }),
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

const SourceQuery = Type.Object({
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

const VisitorHeaders = Type.Object({
  'x-visitor-token': Type.Optional(Type.String({ maxLength: 200, description: 'From the first reply.' })),
})

export const OwnConversations = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        session_id: Type.String(),
        first_question: Nullable(Type.String({ description: 'What the visitor asked first.' })),
        last_message: Type.Object({ role: OneOf(['visitor', 'bot', 'agent']), text: Type.String() }),
        updated_at: Timestamp,
      }),
    ),
    can_email_transcript: Type.Boolean({
      description: 'Whether a transcript can be emailed: it is offered, and the visitor has left an address.',
    }),
  },
  { $id: 'OwnConversations' },
)
export type OwnConversations = Static<typeof OwnConversations>

const BOT_ERRORS = ['bot_not_found', 'origin_not_allowed'] as const
const USER_ERRORS = ['invalid_user_token', 'user_token_required'] as const
const VISITOR_ERRORS = [...BOT_ERRORS, 'invalid_visitor_token'] as const
// 4,000 characters can take 48,000 bytes, if each is written as two escapes.
const SMALL_BODY_BYTES = 64 * 1024
const ATTACHMENT_BODY_BYTES = 21 * 1024 * 1024

export const widgetRoutes = {
  'POST /api/chat/{botId}/message': {
    summary: "Send a visitor's message and get the bot's reply",
    description:
      'A stable `session_id` keeps the context. It can be guessed, so it gives no access to earlier messages: for that the first reply contains a `visitor_token`, to be sent in the header `X-Visitor-Token` of further calls. Without the token, earlier turns still help to interpret a follow-up, but their text never reaches a language model or the reply. A message without the token changes nothing else in the conversation, and the reply tells nothing of its state. If it asks for a person or leaves contact details, or once a person has taken over or contact details are known, it starts a new conversation; the reply contains its `session_id` and `visitor_token`.',
    tag: 'Widget',
    caller: 'widget',
    params: ofBot,
    headers: VisitorHeaders,
    body: WidgetMessage,
    trims: ['message'],
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 200,
    response: WidgetReply,
    alternative: { type: 'text/event-stream', schema: WidgetStream },
    errors: [...INPUT_ERRORS, ...BOT_ERRORS, ...USER_ERRORS, 'not_acceptable', 'rate_limited'],
  },
  'GET /api/chat/{botId}/config': {
    summary: "Read the widget's appearance and greeting",
    description: 'With `locale`, greeting and suggested questions are those for visitors of that language.',
    tag: 'Widget',
    caller: 'widget',
    params: ofBot,
    query: Type.Object({ locale: Locale }),
    status: 200,
    response: WidgetConfig,
    errors: BOT_ERRORS,
  },
  'GET /api/chat/{botId}/sources/{documentId}': {
    summary: 'Read a cited section of a source without a URL',
    description: 'The content of the source page, for anyone with its link. Sections cannot be listed or guessed.',
    tag: 'Widget',
    caller: 'widget',
    params: Type.Object({ ...ofBot.properties, documentId: Type.String({ maxLength: 256 }) }),
    query: SourceQuery,
    status: 200,
    response: SourceSection,
    errors: [...INPUT_ERRORS, ...BOT_ERRORS],
  },
  'POST /api/chat/{botId}/identify': {
    summary: 'Say who the visitor is',
    description:
      'Requires `user_token`, or `user_id` with `user_hash`. What an anonymous visitor wrote so far, proven by `X-Visitor-Token`, becomes the user’s; on another device, the answer tells how to go on with their newest conversation. Stores nothing about users who have not written yet.',
    tag: 'Widget',
    caller: 'widget',
    params: ofBot,
    headers: VisitorHeaders,
    body: IdentifyInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 200,
    response: Identified,
    errors: [...INPUT_ERRORS, ...BOT_ERRORS, 'invalid_user_token', 'rate_limited'],
  },
  'GET /api/chat/{botId}/history': {
    summary: "Read a visitor's own conversation",
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    query: HistoryQuery,
    status: 200,
    response: History,
    errors: [...VISITOR_ERRORS, 'validation_failed', 'session_not_found'],
  },
  'GET /api/chat/{botId}/events': {
    summary: 'Stream new messages',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    query: EventsQuery,
    status: 200,
    response: VisitorEvents,
    responseType: 'text/event-stream',
    errors: [...VISITOR_ERRORS, 'validation_failed', 'session_not_found', 'rate_limited'],
  },
  'POST /api/chat/{botId}/lead': {
    summary: 'Leave contact details',
    description: "Requires the visitor's token if the session already exists.",
    tag: 'Widget',
    caller: 'widget',
    params: ofBot,
    headers: VisitorHeaders,
    body: LeadInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 200,
    response: LeadAccepted,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, ...USER_ERRORS, 'not_found', 'rate_limited'],
  },
  'POST /api/chat/{botId}/handover': {
    summary: 'Ask for a person, or go back to the bot',
    description:
      "Without the visitor's token of a session that exists, the request opens a conversation of its own; going back to the bot requires the token.",
    tag: 'Widget',
    caller: 'widget',
    params: ofBot,
    headers: VisitorHeaders,
    body: HandoverInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 200,
    response: HandoverAccepted,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'rate_limited'],
  },
  'POST /api/chat/{botId}/transcript': {
    summary: "Email the visitor's own conversation to them",
    description:
      'Only to the address that the visitor left. At most once in ten minutes per conversation, and three times a day per address.',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    body: TranscriptInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 202,
    response: TranscriptAccepted,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'not_found', 'session_not_found', 'no_email_address', 'rate_limited'],
  },
  'POST /api/chat/{botId}/attachments': {
    summary: 'Send a file to the team',
    description:
      'Creates a message of the visitor. Requires attachments and handover to be enabled. At most 20 a day per conversation, 1,000 per bot and `WIDGET_FILES_PER_DAY` per network, each of at most `ATTACHMENT_MAX_BYTES`.',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    body: AttachmentInput,
    multipart: true,
    bodyLimitBytes: ATTACHMENT_BODY_BYTES,
    status: 201,
    response: AttachmentAccepted,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'not_found', 'session_not_found', 'unsupported_file', 'rate_limited'],
  },
  'GET /api/chat/{botId}/attachments/{attachmentId}': {
    summary: 'Read a file that was sent in a conversation',
    description: 'Browsers show images and save other files; no file can run scripts.',
    tag: 'Widget',
    caller: 'widget',
    params: Type.Object({ ...ofBot.properties, attachmentId: Type.String({ maxLength: 100 }) }),
    status: 200,
    response: Type.String({ format: 'binary' }),
    responseType: 'application/octet-stream',
    alternative: { type: 'image/*', schema: Type.String({ format: 'binary' }) },
    errors: [...BOT_ERRORS, 'not_found'],
  },
  'GET /api/chat/{botId}/conversations': {
    summary: "List a visitor's own conversations, the newest 20",
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    status: 200,
    response: OwnConversations,
    errors: [...VISITOR_ERRORS, 'rate_limited'],
  },
  'POST /api/chat/{botId}/rating': {
    summary: 'Rate a whole conversation',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    body: ChatRatingInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 204,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'session_not_found', 'rate_limited'],
  },
  'GET /api/chat/{botId}/avatars/{avatarId}': {
    summary: 'Read an avatar of the bot or its team',
    tag: 'Widget',
    caller: 'widget',
    params: Type.Object({ ...ofBot.properties, avatarId: Type.String({ maxLength: 100 }) }),
    status: 200,
    response: Type.String({ format: 'binary' }),
    responseType: 'application/octet-stream',
    alternative: { type: 'image/*', schema: Type.String({ format: 'binary' }) },
    errors: [...BOT_ERRORS, 'not_found'],
  },
  'POST /api/chat/{botId}/feedback': {
    summary: 'Rate a reply',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    body: FeedbackInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 204,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'not_found', 'rate_limited'],
  },
  'POST /api/chat/{botId}/typing': {
    summary: 'Show that the visitor is typing',
    description: 'Shown to the agent who has the conversation.',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    status: 204,
    errors: [...VISITOR_ERRORS, 'rate_limited'],
  },
  'POST /api/chat/{botId}/seen': {
    summary: 'Mark the messages as seen by the visitor',
    description: 'Send it while the chat is open and visible. Shown to agents.',
    tag: 'Widget',
    caller: 'visitor',
    params: ofBot,
    headers: VisitorHeaders,
    body: SeenInput,
    bodyLimitBytes: SMALL_BODY_BYTES,
    status: 204,
    errors: [...INPUT_ERRORS, ...VISITOR_ERRORS, 'session_not_found', 'rate_limited'],
  },
} as const satisfies Record<string, RouteSpec>
