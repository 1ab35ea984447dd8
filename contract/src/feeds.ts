// Product feeds that bots pull.
import type { Static } from 'typebox'
import { SyncRemark } from './products.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Currency, Id, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const FEEDS_PER_BOT = 10

const FEED_STATES = ['idle', 'queued', 'running', 'paused'] as const
const FEED_OUTCOMES = ['done', 'unchanged', 'failed'] as const
const FEED_FORMATS = [
  'json',
  'ndjson',
  'csv',
  'xml',
  'shopify',
  'woocommerce',
  'shopify_api',
  'woocommerce_api',
] as const
const SHOP_TYPES = ['shopify', 'woocommerce'] as const

/** Why a run imported nothing. */
export const FEED_REASONS = [
  'http_status',
  'timeout',
  'unreachable',
  'too_large',
  'refused_address',
  'insecure_address',
  'too_many_redirects',
  'broken_answer',
  'unsupported_type',
  'not_a_feed',
  'truncated',
  'unreadable',
  'empty',
  'too_many_items',
  'every_item_failed',
  'wrong_key',
  'permission_missing',
  'wrong_address',
  'rate_limited',
  'key_missing',
  'internal',
] as const
export type FeedReason = (typeof FEED_REASONS)[number]

/** Why a run read only the first pages of a feed. */
const CUT_REASONS = ['too_many_pages', 'other_origin', 'repeated_page', 'fewer_than_stated'] as const

const Secret = Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x20-\\x7e]+$', examples: ['ck_example'] })

const ShopKey = Type.Union(
  [
    Type.Object({
      type: OneOf(['shopify']),
      access_token: Type.String({
        ...Secret,
        examples: ['shpat_example'],
        description: 'An access token of the Admin API with the scope `read_products`.',
      }),
    }),
    Type.Object({
      type: OneOf(['woocommerce']),
      consumer_key: Type.String({ ...Secret, description: 'Of a REST API key with permission to read.' }),
      consumer_secret: Type.String({ ...Secret, examples: ['cs_example'] }),
    }),
  ],
  {
    $id: 'ShopKey',
    description:
      "Reads the shop's own API instead of a feed; `url` is then the address of the shop. Stored encrypted and never returned; required again when `url` moves to another host.",
  },
)
export type ShopKey = Static<typeof ShopKey>

const settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^https?://',
    examples: ['https://shop.example.com/feeds/google.xml'],
    description:
      'Google Merchant XML (RSS 2.0 or Atom), CSV or TSV, JSON or NDJSON, gzipped or not; the format is detected. May contain a user name and password, which are sent as basic authentication. Further pages are read too: `Link: rel="next"`, WooCommerce, Shopify.',
  }),
  every_hours: Type.Optional(
    Nullable(
      Type.Unsafe<1 | 6 | 12 | 24>({
        type: 'integer',
        enum: [1, 6, 12, 24],
        description: 'Runs this long after the last run; null: only on request.',
      }),
    ),
  ),
  currency: Type.Optional(
    Nullable(
      Type.String({
        ...Currency,
        description: "ISO 4217: of products that state no currency of their own; null: the bot's `currency`.",
      }),
    ),
  ),
  remove_missing: Type.Optional(
    Type.Boolean({
      description:
        'Removes products of earlier runs that are no longer in the feed. Never if the feed is empty or truncated; more than half of them only after confirmation.',
    }),
  ),
}

const CreateFeed = Type.Object({ ...settings, shop: Type.Optional(ShopKey) })
const PatchFeed = Type.Partial(
  Type.Object({
    ...settings,
    shop: ShopKey,
    paused: Type.Boolean({ description: 'True also stops a running run.' }),
  }),
)
/** Query parameters. */
const RunFeed = Type.Object({
  confirm_removal: Type.Optional(Type.Boolean({ description: 'Removes missing products, however many there are.' })),
})

export const FeedRun = Type.Object(
  {
    id: Type.String(),
    started_at: Timestamp,
    finished_at: Timestamp,
    outcome: OneOf(FEED_OUTCOMES, { description: '`unchanged`: the server reported no changes.' }),
    reason: Nullable(OneOf(FEED_REASONS, { description: 'Why it failed; nothing was changed.' })),
    status_code: Nullable(Type.Integer({ description: 'The HTTP status of the feed.' })),
    received: Type.Integer({ description: 'Items in the feed.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    deleted: Type.Integer({ description: 'No longer in the feed.' }),
    failed: Type.Integer({ description: 'Rejected; see `errors`.' }),
    removal_held: Type.Integer({
      description:
        'Missing products that were kept, because they are more than half. Start a run with confirmation to remove them.',
    }),
    pages: Type.Integer({ description: 'Pages read, of a feed that has several.' }),
    cut_reason: Nullable(
      OneOf(CUT_REASONS, { description: 'Why further pages were not read. Such a run removes no products.' }),
    ),
    errors: Type.Array(SyncRemark, { description: 'The first 100.' }),
    warnings: Type.Array(SyncRemark, { description: 'The first 100.' }),
  },
  { $id: 'FeedRun' },
)
export type FeedRun = Static<typeof FeedRun>

export const Feed = Type.Object(
  {
    id: Type.String(),
    url: Type.String({
      description: 'Without credentials and query values. Viewers see only the host and the file name.',
    }),
    shop: Nullable(
      Type.Object(
        {
          type: OneOf(SHOP_TYPES),
          key_hint: Type.String({ description: 'The last four characters of the key; empty if it is missing.' }),
        },
        { description: 'Of a shop that is read through its own API.' },
      ),
    ),
    format: Nullable(OneOf(FEED_FORMATS, { description: 'As detected by the last successful run.' })),
    every_hours: Nullable(Type.Integer()),
    currency: Nullable(Type.String()),
    remove_missing: Type.Boolean(),
    state: OneOf(FEED_STATES),
    progress: Nullable(
      Type.Object({
        bytes: Type.Integer({ description: 'Bytes received so far.' }),
        total_bytes: Nullable(Type.Integer({ description: 'If known.' })),
        items: Type.Integer({ description: 'Items read so far.' }),
      }),
    ),
    last_run: Nullable(FeedRun),
    created_at: Timestamp,
    next_run_at: Nullable(Timestamp),
  },
  { $id: 'Feed', description: 'A product list at a URL, or a shop, that a bot pulls.' },
)
export type Feed = Static<typeof Feed>

const ofFeed = Params({ botId: Id, feedId: Id })

export const feedRoutes = {
  'POST /api/manage/v1/bots/{botId}/feeds': {
    summary: 'Create a product feed',
    description:
      'Pulled immediately, then on its schedule. Products are read, validated and stored as in a product sync, within the same limits.',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateFeed,
    status: 201,
    response: Feed,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_feeds'],
    audit: 'feed.created',
  },
  'GET /api/manage/v1/bots/{botId}/feeds': {
    summary: 'List the product feeds',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Feed),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/feeds/{feedId}': {
    summary: 'Read a product feed and the progress of its run',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofFeed,
    status: 200,
    response: Feed,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}': {
    summary: 'Change or pause a product feed',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofFeed,
    body: PatchFeed,
    status: 200,
    response: Feed,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'feed.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/feeds/{feedId}': {
    summary: 'Delete a product feed',
    description: 'Keeps its products.',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofFeed,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'feed.deleted',
  },
  'POST /api/manage/v1/bots/{botId}/feeds/{feedId}/run': {
    summary: 'Pull a product feed now',
    description:
      'Pulls the whole feed, even if it has not changed. A current run continues. A paused feed stays paused.',
    tag: 'Products',
    caller: 'management',
    role: 'editor',
    params: ofFeed,
    query: RunFeed,
    status: 200,
    response: Feed,
    errors: [...MANAGER_ERRORS, 'validation_failed', 'bot_not_found', 'not_found'],
    audit: 'feed.started',
  },
  'GET /api/manage/v1/bots/{botId}/feeds/{feedId}/runs': {
    summary: 'List the last 20 runs of a product feed, newest first',
    tag: 'Products',
    caller: 'management',
    role: 'viewer',
    params: ofFeed,
    query: PageQuery,
    status: 200,
    response: Page(FeedRun),
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
