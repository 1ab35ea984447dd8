// Test questions: what a bot should answer, asked again whenever its content changes.
import type { Static } from 'typebox'
import { Source } from './chat.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, ListQuery, NOT_BLANK, Nullable, OneOf, Page, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const MAX_TEST_QUESTIONS = 200

const TestQuestionsQuery = ListQuery(['id', 'question', 'updated_at'], { found: 'questions', sort: 'id' })

const Phrase = Type.String({ minLength: 1, maxLength: 500, pattern: NOT_BLANK })

const fields = {
  question: Phrase,
  expected_text: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: NOT_BLANK,
        description: 'The reply must contain it. Case, spaces and emphasis do not matter.',
      }),
    ),
  ),
  expected_source: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        pattern: NOT_BLANK,
        description: 'URL of a page, or id of a document, that the reply must cite.',
      }),
    ),
  ),
}

const CreateTestQuestion = Type.Object(fields, {
  description: 'Without an expected text or source, the question must be answered at all.',
})
const PatchTestQuestion = Type.Partial(Type.Object(fields))

const outcome = OneOf(['passed', 'failed', 'worse', 'better'], {
  description: '`worse`: it failed, but had passed before. `better`: it passed, and failed in the run before.',
})

const TestReply = Type.Object({
  reply: Type.String({ description: 'At most 2,000 characters.' }),
  sources: Type.Array(Source),
  at: Timestamp,
})

export const TestQuestion = Type.Object(
  {
    id: Type.String(),
    question: Type.String(),
    expected_text: Nullable(Type.String()),
    expected_source: Nullable(Type.String()),
    outcome: Nullable(outcome),
    result: Nullable(TestReply),
    last_passed: Nullable(TestReply),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    $id: 'TestQuestion',
    description: 'A saved question with what its answer should be; `outcome` and `result` are null until it was run.',
  },
)
export type TestQuestion = Static<typeof TestQuestion>

const run = {
  id: Type.String(),
  cause: OneOf(['request', 'content'], { description: '`content`: content or a test question had changed.' }),
  state: OneOf(['waiting', 'running', 'finished']),
  total: Type.Integer({ description: 'Questions in this run.' }),
  done: Type.Integer(),
  passed: Type.Integer({ description: 'Those that became better included.' }),
  failed: Type.Integer({ description: 'Those that became worse included.' }),
  worse: Type.Integer(),
  better: Type.Integer(),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
}

export const TestRun = Type.Object(run, { $id: 'TestRun', description: 'All test questions of a bot, asked once.' })
export type TestRun = Static<typeof TestRun>

export const TestRunResults = Type.Object(
  {
    ...run,
    results: Type.Array(
      Type.Object({
        question_id: Type.String(),
        question: Type.String(),
        outcome,
        reply: Type.String(),
        sources: Type.Array(Source),
        before: Nullable(
          Type.Object(TestReply.properties, {
            description: 'If it became worse, the last reply that passed; if better, the last that failed.',
          }),
        ),
      }),
      { description: 'Worse ones first, then failed, better and passed ones.' },
    ),
  },
  { $id: 'TestRunResults' },
)
export type TestRunResults = Static<typeof TestRunResults>

const TestSettings = Type.Object({
  run_automatically: Type.Boolean({
    description:
      'Whether all questions are run a while after content or a question changed. Until it is set, on for bots without a language model: with one, runs cost money.',
  }),
})

const TestRuns = Type.Object({
  ...TestSettings.properties,
  items: Type.Array(TestRun, { description: 'The last ten, newest first.' }),
})

const ofQuestion = Params({ botId: Id, questionId: Id })
const ofRun = Params({ botId: Id, runId: Id })
const common = { tag: 'Knowledge', caller: 'management' } as const

export const testQuestionRoutes = {
  'POST /api/manage/v1/bots/{botId}/test-questions': {
    ...common,
    summary: 'Add a test question',
    role: 'editor',
    params: ofBot,
    body: CreateTestQuestion,
    status: 201,
    response: TestQuestion,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_test_questions'],
    audit: 'test_question.created',
  },
  'GET /api/manage/v1/bots/{botId}/test-questions': {
    ...common,
    summary: 'List the test questions and their last results',
    role: 'viewer',
    params: ofBot,
    query: TestQuestionsQuery,
    status: 200,
    response: Page(TestQuestion),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/test-questions/{questionId}': {
    ...common,
    summary: 'Read a test question',
    role: 'viewer',
    params: ofQuestion,
    status: 200,
    response: TestQuestion,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/test-questions/{questionId}': {
    ...common,
    summary: 'Change a test question',
    description: 'Forgets its results: they were measured by other expectations.',
    role: 'editor',
    params: ofQuestion,
    body: PatchTestQuestion,
    status: 200,
    response: TestQuestion,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'test_question.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/test-questions/{questionId}': {
    ...common,
    summary: 'Delete a test question',
    role: 'editor',
    params: ofQuestion,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'test_question.deleted',
  },
  'POST /api/manage/v1/bots/{botId}/test-runs': {
    ...common,
    summary: 'Run all test questions',
    description:
      'They are asked in the background, as visitors would ask them, but nothing is recorded and actions answer from their samples. A run that has not ended yet is returned instead of a second one.',
    role: 'editor',
    params: ofBot,
    status: 202,
    response: TestRun,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'no_test_questions'],
    audit: 'test_run.started',
  },
  'GET /api/manage/v1/bots/{botId}/test-runs': {
    ...common,
    summary: 'List the last runs of the test questions',
    role: 'viewer',
    params: ofBot,
    status: 200,
    response: TestRuns,
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/test-runs': {
    ...common,
    summary: 'Switch automatic runs on or off',
    role: 'editor',
    params: ofBot,
    body: TestSettings,
    status: 200,
    response: TestSettings,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found'],
    audit: 'bot.changed',
  },
  'GET /api/manage/v1/bots/{botId}/test-runs/{runId}': {
    ...common,
    summary: 'Read a run with its results',
    role: 'viewer',
    params: ofRun,
    status: 200,
    response: TestRunResults,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
