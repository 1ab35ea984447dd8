import { type Static, Type } from 'typebox'
import { Timezone } from '../bots/widget-settings.ts'
import { NOT_BLANK, Nullable, OneOf, Timestamp } from '../schema.ts'
import { channels } from './conversations.ts'

const intervals = ['day', 'week', 'month'] as const
export type AnalyticsInterval = (typeof intervals)[number]

const DayInput = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d.*)?$',
  maxLength: 40,
  description: 'A day as 2026-11-30, or a time, which stands for the day it is in.',
})

export const AnalyticsQuery = Type.Object({
  from: Type.Optional(DayInput),
  to: Type.Optional(DayInput),
  timezone: Type.Optional(
    Type.String({
      ...Timezone,
      description: 'Whose days these are. Default: UTC. Figures are counted by the half hour.',
    }),
  ),
  interval: Type.Optional(OneOf(intervals, { description: 'Of the series. Weeks begin on Monday. Default: day.' })),
})

const Day = (description: string) => Type.String({ format: 'date', description })

const figures = {
  conversations: Type.Integer({ description: 'Begun in this time.' }),
  messages: Type.Integer({ description: 'Of visitors, the bot and people.' }),
  questions: Type.Integer({
    description: 'Messages that the bot looked for an answer to; small talk and the wish for a person are none.',
  }),
  answered: Type.Integer({ description: 'Of these questions, with confidence.' }),
  low_confidence: Type.Integer({ description: 'Of these questions: answered, but with low confidence.' }),
  answered_share: Nullable(Type.Number({ description: 'With confidence, 0 to 1; null where nothing was asked.' })),
  mean_confidence: Nullable(Type.Number({ description: 'Over the questions.' })),
  ratings_up: Type.Integer({ description: 'Counted on the day of the rated reply.' }),
  ratings_down: Type.Integer(),
  handovers_requested: Type.Integer(),
  handovers_accepted: Type.Integer({ description: 'People may also take a conversation over unasked.' }),
  leads: Type.Integer({ description: 'Visitors who left contact details for the first time.' }),
}

export const Analytics = Type.Object(
  {
    from: Day('The first day.'),
    to: Day('The last day, included.'),
    timezone: Type.String(),
    interval: OneOf(intervals),
    totals: Type.Object(figures),
    series: Type.Array(
      Type.Object({
        start: Day('The first day of the interval, even where that lies before `from`.'),
        since: Timestamp,
        until: Timestamp,
        ...figures,
      }),
      { description: 'Oldest first, without gaps.' },
    ),
    channels: Type.Array(Type.Object({ channel: OneOf(channels), ...figures })),
    top_questions: Type.Array(
      Type.Object({
        question: Type.String({ description: 'As it was asked last, its first 500 characters.' }),
        count: Type.Integer(),
        answered: Type.Integer({ description: 'With confidence.' }),
        low_confidence: Type.Integer(),
        last_asked_at: Timestamp,
        conversation_id: Type.String({ description: 'Where it was asked last.' }),
      }),
      { description: 'Of conversations that are still kept; differences in spelling do not count.' },
    ),
    top_pages: Type.Array(
      Type.Object({
        url: Type.String({ description: 'Without what follows ? or #.' }),
        conversations: Type.Integer(),
      }),
      { description: 'Of conversations begun in this time that are still kept.' },
    ),
  },
  { $id: 'Analytics' },
)
export type Analytics = Static<typeof Analytics>

export const UnansweredQuestion = Type.Object(
  {
    question: Type.String({ description: 'As it was asked last, its first 500 characters.' }),
    count: Type.Integer({ description: 'How often it found no answer, or one of low confidence.' }),
    low_confidence: Type.Integer({ description: 'Of these, how often an answer of low confidence was given.' }),
    last_asked_at: Timestamp,
    conversation_id: Type.String({ description: 'Where it was asked last.' }),
    languages: Type.Array(Type.String()),
  },
  { $id: 'UnansweredQuestion' },
)
export type UnansweredQuestion = Static<typeof UnansweredQuestion>

export const UnansweredTopic = Type.Object(
  {
    subject: Type.Array(Type.String(), { description: 'What it is about: words of the questions.' }),
    count: Type.Integer({ description: 'How often its questions found no answer, or one of low confidence.' }),
    low_confidence: Type.Integer(),
    last_asked_at: Timestamp,
    questions: Type.Array(UnansweredQuestion, { description: 'The most frequent first.' }),
    closest: Nullable(
      Type.Object(
        {
          document_id: Type.String(),
          title: Type.String(),
          url: Nullable(Type.String()),
          section: Nullable(Type.String()),
        },
        { description: 'The passage that comes closest to the most frequent question; null: no content is near it.' },
      ),
    ),
    missing: Type.Array(Type.String(), { description: 'Words of the subject that this passage does not have.' }),
  },
  { $id: 'UnansweredTopic' },
)
export type UnansweredTopic = Static<typeof UnansweredTopic>

export const UnansweredTopics = Type.Object({ topics: Type.Array(UnansweredTopic) })

export const QuestionInput = Type.Object({
  question: Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: NOT_BLANK,
    description: 'As the list shows it; differences in spelling do not count.',
  }),
})
