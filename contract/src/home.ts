// What a team looks at first: who waits, what was asked, what needs attention.
import type { Static } from 'typebox'
import { analyticsFigures, TimezoneInput } from './insights.ts'
import { MANAGER_ERRORS, ofWorkspace, type RouteSpec } from './route.ts'
import { Nullable, OneOf, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const attentionKinds = [
  ...(['crawl_failed', 'pages_failed', 'pages_changed', 'feed_failed', 'tests_worse'] as const),
  ...(['webhook_failing', 'webhook_disabled', 'channel_failing', 'channel_disabled'] as const),
] as const
export type AttentionKind = (typeof attentionKinds)[number]

const BotId = Type.String({ description: 'Of one of the `bots`.' })

export const Home = Type.Object(
  {
    bots: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        demo_page: Nullable(
          Type.String({ description: 'Of a bot created at the first start: `/demo` or `/docs`, where its chat is.' }),
        ),
      }),
      { description: 'By name.' },
    ),
    waiting: Type.Object({
      count: Type.Integer({ description: 'Visitors who asked for a person and have none yet; at most 200.' }),
      overdue: Type.Integer({ description: 'How many of them wait longer than the target of their bot.' }),
      conversations: Type.Array(
        Type.Object({
          bot_id: BotId,
          id: Type.String(),
          visitor: Nullable(Type.String({ description: 'Name, email address or id in your own system.' })),
          visitor_id: Nullable(Type.String()),
          message: Nullable(Type.String({ description: 'The first 300 characters of the last message.' })),
          since: Timestamp,
          due_at: Nullable(Timestamp),
        }),
        { description: 'The longest waiting first, at most five.' },
      ),
    }),
    week: Type.Object(
      {
        totals: Type.Object(analyticsFigures),
        before: Type.Object(analyticsFigures, { description: 'Of the seven days before.' }),
        days: Type.Array(
          Type.Object({
            date: Type.String({ format: 'date' }),
            conversations: Type.Integer({ description: 'With a question or a wish for a person.' }),
            resolved: Type.Integer({ description: 'By the bot: confirmed, assumed or still pending.' }),
          }),
        ),
        bots: Type.Array(Type.Object({ bot_id: BotId, conversations: Type.Integer(), resolved: Type.Integer() }), {
          description: 'The same by bot, the busiest first, at most five.',
        }),
      },
      { description: 'The last seven days of all bots, today included.' },
    ),
    questions: Type.Array(
      Type.Object({
        bot_id: BotId,
        question: Type.String(),
        count: Type.Integer(),
        answered: Type.Integer({ description: 'Answered with confidence.' }),
      }),
      { description: 'The most frequent of the week, at most five.' },
    ),
    unanswered: Type.Array(
      Type.Object({
        bot_id: BotId,
        question: Type.String({ description: 'The most typical one.' }),
        alternatives: Type.Array(Type.String(), { description: 'Other questions of the topic, at most 20.' }),
        count: Type.Integer({ description: 'How often they got no answer, or one of low confidence.' }),
        last_asked_at: Timestamp,
      }),
      { description: 'The most frequent topics that the bots could not answer, at most five.' },
    ),
    attention: Type.Array(
      Type.Object({
        bot_id: BotId,
        kind: OneOf(attentionKinds),
        id: Type.String({
          description: 'Of the crawl, feed, webhook or notification channel; for test questions, of the bot.',
        }),
        name: Type.String({
          description: 'The host, the name of a notification channel, or the number of test questions.',
        }),
        count: Nullable(
          Type.Integer({
            description: 'Pages that failed or changed in the last run, or test questions that got worse.',
          }),
        ),
        since: Nullable(Timestamp),
      }),
      {
        description:
          'Content that failed to load or changed within a week, test questions that got worse, and endpoints that fail. Failures first.',
      },
    ),
  },
  { $id: 'Home' },
)
export type Home = Static<typeof Home>

export const homeRoutes = {
  'GET /api/manage/v1/workspaces/{workspaceId}/home': {
    summary: 'Read what needs attention in a workspace',
    description: 'Of all its bots: who is waiting, the figures of the week, and content and endpoints with problems.',
    tag: 'Insights',
    caller: 'management',
    role: 'viewer',
    params: ofWorkspace,
    query: Type.Object({ timezone: Type.Optional(TimezoneInput) }),
    status: 200,
    response: Home,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
