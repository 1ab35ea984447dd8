import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../schema.ts'
import { SyncRemark } from './products.ts'

export const FEEDS_PER_BOT = 10

const feedStates = ['idle', 'queued', 'running', 'paused'] as const
const feedOutcomes = ['done', 'unchanged', 'failed'] as const
const feedFormats = ['json', 'ndjson', 'csv', 'xml', 'shopify', 'woocommerce'] as const

/** Why a run brought nothing. */
export const feedReasons = [
  'http_status',
  'timeout',
  'unreachable',
  'too_large',
  'refused_address',
  'too_many_redirects',
  'broken_answer',
  'unsupported_type',
  'not_a_feed',
  'truncated',
  'unreadable',
  'empty',
  'too_many_items',
  'every_item_failed',
  'internal',
] as const
export type FeedReason = (typeof feedReasons)[number]

const settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^https?://',
    examples: ['https://shop.example.com/feeds/google.xml'],
    description:
      'Google Merchant XML (RSS 2.0 or Atom), CSV or TSV, JSON or NDJSON, packed with gzip or not; the format is recognised. May have a user name and password, which are sent as basic authentication.',
  }),
  every_hours: Type.Optional(
    Nullable(
      Type.Unsafe<1 | 6 | 12 | 24>({
        type: 'integer',
        enum: [1, 6, 12, 24],
        description: 'Pulled this long after the last run; null: only on request.',
      }),
    ),
  ),
  remove_missing: Type.Optional(
    Type.Boolean({
      description:
        'Removes products that an earlier run of this feed brought and that are no longer in it. Not when the feed is empty or cut off, and only when confirmed if it is more than half of them.',
    }),
  ),
}

export const CreateFeed = Type.Object(settings)
export const PatchFeed = Type.Partial(
  Type.Object({ ...settings, paused: Type.Boolean({ description: 'Ends a run that is under way.' }) }),
)
/** In the query. */
export const RunFeed = Type.Object({
  confirm_removal: Type.Optional(Type.Boolean({ description: 'Removes what is missing, however much it is.' })),
})

export const FeedRun = Type.Object(
  {
    id: Type.String(),
    started_at: Timestamp,
    finished_at: Timestamp,
    outcome: OneOf(feedOutcomes, { description: '`unchanged`: the server says that the feed has not changed.' }),
    reason: Nullable(OneOf(feedReasons, { description: 'Why it failed. Nothing was changed then.' })),
    status_code: Nullable(Type.Integer({ description: 'That the server answered with.' })),
    received: Type.Integer({ description: 'Items in the feed.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    deleted: Type.Integer({ description: 'No longer in the feed.' }),
    failed: Type.Integer({ description: 'Refused; see `errors`.' }),
    removal_held: Type.Integer({
      description: 'Products that are missing and were kept, because they are more than half. Confirm with a run.',
    }),
    errors: Type.Array(SyncRemark, { description: 'The first 100.' }),
  },
  { $id: 'FeedRun' },
)
export type FeedRun = Static<typeof FeedRun>

export const Feed = Type.Object(
  {
    id: Type.String(),
    url: Type.String({
      description:
        'Without credentials, and without the values in its query. Viewers see the host and the name of the file.',
    }),
    format: Nullable(OneOf(feedFormats, { description: 'As recognised in the last run that read it.' })),
    every_hours: Nullable(Type.Integer()),
    remove_missing: Type.Boolean(),
    state: OneOf(feedStates),
    progress: Nullable(
      Type.Object({
        bytes: Type.Integer({ description: 'Received so far.' }),
        total_bytes: Nullable(Type.Integer({ description: 'If the server tells.' })),
        items: Type.Integer({ description: 'Read so far.' }),
      }),
    ),
    last_run: Nullable(FeedRun),
    created_at: Timestamp,
    next_run_at: Nullable(Timestamp),
  },
  { $id: 'Feed', description: 'A list of products at a URL that a bot pulls.' },
)
export type Feed = Static<typeof Feed>
