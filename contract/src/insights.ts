// Analytics of a bot's conversations.
import type { Static } from 'typebox'
import { CHANNELS } from './conversations.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, ofWorkspace, type RouteSpec } from './route.ts'
import { NOT_BLANK, Nullable, OneOf, Page, PageQuery, Timestamp } from './schema.ts'
import { Type } from './type.ts'
import { Timezone } from './widget-settings.ts'

const INTERVALS = ['day', 'week', 'month'] as const
export type AnalyticsInterval = (typeof INTERVALS)[number]

const DayInput = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d.*)?$',
  maxLength: 40,
  description: 'A date such as 2026-11-30, or a time, which means the day that contains it.',
})

export const TimezoneInput = Type.String({
  ...Timezone,
  description: 'The time zone of the days. Default: UTC. Figures have a resolution of half an hour.',
})

const AnalyticsQuery = Type.Object({
  from: Type.Optional(DayInput),
  to: Type.Optional(DayInput),
  timezone: Type.Optional(TimezoneInput),
  interval: Type.Optional(
    OneOf(INTERVALS, { description: 'The interval of the series. Weeks start on Monday. Default: day.' }),
  ),
})

const RangeQuery = Type.Omit(AnalyticsQuery, ['interval'])

const TopQuery = Type.Object({
  top: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 10, description: 'How many top questions and top pages.' }),
  ),
})

const Day = (description: string) => Type.String({ format: 'date', description })

const rate = (description: string) => Nullable(Type.Number({ description }))

export const Resolution = Type.Object(
  {
    conversations: Type.Integer({
      description: 'Started in this period, with a question or a wish for a person. Greetings alone do not count.',
    }),
    involved: Type.Integer({
      description: 'In which the bot replied to a question. The six outcomes below add up to this.',
    }),
    confirmed: Type.Integer({ description: 'The visitor thanked the bot or rated it well after the last answer.' }),
    assumed: Type.Integer({
      description:
        'The visitor left after an answer with confidence and did not ask again within 24 hours, here or in another conversation.',
    }),
    escalated: Type.Integer({ description: 'The visitor asked for a person, or a person took over.' }),
    negative: Type.Integer({ description: 'The visitor rated the last answer badly or was angry.' }),
    unresolved: Type.Integer({
      description: 'The last question got no answer with confidence, or was asked again within 24 hours.',
    }),
    pending: Type.Integer({
      description: 'Answered with confidence less than 24 hours ago: not known yet, and in none of the rates.',
    }),
    involvement_rate: rate('Share of conversations with the bot involved.'),
    resolution_rate: rate('Share of involved conversations that were resolved: confirmed or assumed.'),
    automation_rate: rate('Involvement × resolution: the share of all conversations that the bot resolved.'),
    containment_rate: rate('Share of conversations without a wish for a person, resolved or not.'),
  },
  {
    $id: 'Resolution',
    description:
      'How conversations ended. The last question decides: a new one takes back what came before. Rates are 0 to 1, and null without conversations.',
  },
)
export type Resolution = Static<typeof Resolution>

export const analyticsFigures = {
  resolution: Resolution,
  conversations: Type.Integer({ description: 'Started in this period.' }),
  messages: Type.Integer({ description: 'Messages of visitors, the bot and people.' }),
  questions: Type.Integer({
    description: 'Messages that the bot searched an answer for; not small talk or requests for a person.',
  }),
  answered: Type.Integer({ description: 'Questions answered with confidence.' }),
  low_confidence: Type.Integer({ description: 'Questions answered with low confidence.' }),
  answered_share: Nullable(
    Type.Number({ description: 'Share answered with confidence, 0 to 1; null without questions.' }),
  ),
  mean_confidence: Nullable(Type.Number({ description: 'Mean over the questions.' })),
  ratings_up: Type.Integer({ description: 'Counted on the day of the rated reply.' }),
  ratings_down: Type.Integer(),
  handovers_requested: Type.Integer(),
  handovers_accepted: Type.Integer({ description: 'Includes conversations that people took over unasked.' }),
  leads: Type.Integer({ description: 'Visitors who left contact details for the first time.' }),
}

export const Analytics = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day, inclusive.'),
    timezone: Type.String(),
    interval: OneOf(INTERVALS),
    totals: Type.Object(analyticsFigures),
    series: Type.Array(
      Type.Object({
        start: Day('The first day of the interval, even if it is before `from`.'),
        since: Timestamp,
        until: Timestamp,
        ...analyticsFigures,
      }),
      { description: 'Oldest first, without gaps.' },
    ),
    channels: Type.Array(Type.Object({ channel: OneOf(CHANNELS), ...analyticsFigures })),
    languages: Type.Array(
      Type.Object({ language: Type.String({ description: 'Empty if unknown.' }), resolution: Resolution }),
      { description: 'Most conversations first.' },
    ),
    top_questions: Type.Array(
      Type.Object({
        question: Type.String({ description: 'The first 500 characters as last asked.' }),
        count: Type.Integer(),
        answered: Type.Integer({ description: 'Answered with confidence.' }),
        low_confidence: Type.Integer(),
        last_asked_at: Timestamp,
        conversation_id: Type.String({ description: 'The last conversation that asked it.' }),
      }),
      { description: 'From conversations not yet deleted; spelling differences are ignored.' },
    ),
    top_pages: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Without query and fragment.' }),
        conversations: Type.Integer(),
        resolution: Resolution,
      }),
      { description: 'From conversations started in this period and not yet deleted.' },
    ),
  },
  { $id: 'Analytics' },
)
export type Analytics = Static<typeof Analytics>

const WorkspaceAnalytics = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day, inclusive.'),
    timezone: Type.String(),
    bots: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), ...analyticsFigures }), {
      description: 'Most questions first.',
    }),
  },
  { $id: 'WorkspaceAnalytics' },
)
export type WorkspaceAnalytics = Static<typeof WorkspaceAnalytics>

const AskedTopic = Type.Object(
  {
    question: Type.String({ description: 'The most typical question of the topic.' }),
    subject: Type.Array(Type.String(), { description: 'Words of the questions that describe the topic.' }),
    count: Type.Integer({ description: 'How often its questions were asked.' }),
    questions: Type.Integer({ description: 'Different questions.' }),
    resolution: Resolution,
  },
  { $id: 'AskedTopic' },
)
export type AskedTopic = Static<typeof AskedTopic>

const AskedTopics = Type.Object({
  topics: Type.Array(AskedTopic, { description: 'Most frequent first.' }),
})

export const UnansweredQuestion = Type.Object(
  {
    question: Type.String({ description: 'The first 500 characters as last asked.' }),
    count: Type.Integer({ description: 'How often it got no answer, or one of low confidence.' }),
    low_confidence: Type.Integer({ description: 'How many of these got an answer of low confidence.' }),
    last_asked_at: Timestamp,
    conversation_id: Type.String({ description: 'The last conversation that asked it.' }),
    languages: Type.Array(Type.String()),
  },
  { $id: 'UnansweredQuestion' },
)
export type UnansweredQuestion = Static<typeof UnansweredQuestion>

export const UnansweredTopic = Type.Object(
  {
    subject: Type.Array(Type.String(), { description: 'Words of the questions that describe the topic.' }),
    count: Type.Integer({ description: 'How often its questions got no answer, or one of low confidence.' }),
    low_confidence: Type.Integer(),
    last_asked_at: Timestamp,
    questions: Type.Array(UnansweredQuestion, { description: 'Most frequent first.' }),
    closest: Nullable(
      Type.Object(
        {
          document_id: Type.String(),
          title: Type.String(),
          url: Nullable(Type.String()),
          section: Nullable(Type.String()),
        },
        { description: 'The passage closest to the most frequent question; null if there is none.' },
      ),
    ),
    missing: Type.Array(Type.String(), { description: 'Words of the subject missing from this passage.' }),
  },
  { $id: 'UnansweredTopic' },
)
export type UnansweredTopic = Static<typeof UnansweredTopic>

const UnansweredTopics = Type.Object({ topics: Type.Array(UnansweredTopic) })

const QuestionInput = Type.Object({
  question: Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: NOT_BLANK,
    description: 'As shown in the list; spelling differences are ignored.',
  }),
})

export const insightRoutes = {
  'GET /api/manage/v1/workspaces/{workspaceId}/analytics': {
    summary: 'Compare the figures of all bots of a workspace',
    description:
      'Whole days of a time zone, by default the last 30. The figures of each bot are those of its analytics.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    query: RangeQuery,
    status: 200,
    response: WorkspaceAnalytics,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/analytics': {
    summary: 'Read analytics over time, top questions and top pages',
    description:
      'Whole days of a time zone, by default the last 30, at most 400 points. Questions answered with low confidence do not count as answered, except in old figures from before this was recorded. Figures are kept when conversations are deleted: they contain no personal data.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: Type.Object({ ...AnalyticsQuery.properties, ...TopQuery.properties }),
    status: 200,
    response: Analytics,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/analytics/topics': {
    summary: 'Read what visitors asked about, by topic, and how it ended',
    description:
      'The topics of the 300 most frequent questions of a period. Each conversation counts once per question. From conversations not yet deleted.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: Type.Object({
      ...RangeQuery.properties,
      top: Type.Optional(Type.Integer({ minimum: 1, maximum: 300, default: 20, description: 'How many topics.' })),
    }),
    status: 200,
    response: AskedTopics,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/unanswered': {
    summary: 'List unanswered questions, most frequent first',
    description:
      'All spellings of a question are one entry. It leaves the list when a curated answer covers it, as its question or an alternative, or when you dismiss it.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(UnansweredQuestion),
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/unanswered/topics': {
    summary: 'List unanswered questions by topic, with the closest page',
    description:
      'The 20 most frequent topics of the 300 most frequent questions. Questions are grouped by meaning if the embedding model supports their language, otherwise by shared words.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: UnansweredTopics,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/dismiss': {
    summary: 'Dismiss an unanswered question',
    description: 'It stays hidden, even if asked again, until it is restored.',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/unanswered/restore': {
    summary: 'Restore a dismissed question',
    tag: 'Insights',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: QuestionInput,
    status: 204,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
  },
} as const satisfies Record<string, RouteSpec>
