import { type Static, Type } from 'typebox'
import { HttpUrl, Nullable, OneOf, PageQuery, Timestamp } from '../schema.ts'

export const crawlStates = ['queued', 'running', 'done', 'failed', 'stopped'] as const
export const crawlPageStates = ['queued', 'fetching', 'done', 'unchanged', 'skipped', 'failed', 'gone'] as const

/** Why a page was skipped or failed, or why a whole run imported nothing. */
export const crawlReasons = [
  'robots',
  'noindex',
  'canonical',
  'duplicate',
  'redirect',
  'redirect_off_site',
  'off_site',
  'excluded',
  'not_included',
  'unsupported_type',
  'empty',
  'sitemap',
  'too_deep',
  'trap',
  'not_found',
  'http_status',
  'timeout',
  'unreachable',
  'too_large',
  'refused_address',
  'robots_unreachable',
  'too_many_redirects',
  'broken_answer',
  'unreadable',
  'no_sitemap',
  'internal',
  'no_pages',
] as const
export type CrawlReason = (typeof crawlReasons)[number]

const Patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: '^(/|\\*|https?://)', examples: ['/docs/'] }), {
    maxItems: 100,
    description,
  })

const settings = {
  url: HttpUrl,
  max_pages: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "Default and maximum: the instance's `CRAWL_MAX_PAGES`.",
    }),
  ),
  include: Type.Optional(
    Patterns(
      'Only matching pages are read. As in robots.txt: from the start of the path, `*` for anything, `$` for its end.',
    ),
  ),
  exclude: Type.Optional(Patterns('Matching pages are skipped, even if `include` matches.')),
  hosts: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s/@]+$', examples: ['docs.example.com'] }), {
      maxItems: 20,
      description: 'Further hosts of the site, such as `docs.example.com`.',
    }),
  ),
  every_hours: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 8760,
        description: 'Runs again this long after the last run ended; null: never.',
      }),
    ),
  ),
}

export const CreateCrawl = Type.Object(settings)
export const PatchCrawl = Type.Partial(Type.Object(settings))

const Reasons = Type.Array(Type.Object({ reason: OneOf(crawlReasons), pages: Type.Integer() }))

export const Crawl = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    max_pages: Type.Integer(),
    include: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    hosts: Type.Array(Type.String()),
    every_hours: Nullable(Type.Integer()),
    state: OneOf(crawlStates),
    reason: Nullable(OneOf(crawlReasons, { description: 'Why the last run imported nothing.' })),
    pages: Type.Object(
      {
        found: Type.Integer(),
        waiting: Type.Integer({ description: 'Not visited yet, or to be retried.' }),
        done: Type.Integer({ description: 'New or changed.' }),
        unchanged: Type.Integer(),
        skipped: Type.Integer(),
        failed: Type.Integer(),
        gone: Type.Integer({ description: 'Missing for the second time, so their documents were deleted.' }),
      },
      { description: 'Pages of the last run.' },
    ),
    skipped: Reasons,
    failed: Reasons,
    limit_reached: Type.Boolean({ description: 'The site has more pages than `max_pages`.' }),
    runs: Type.Integer(),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
    next_run_at: Nullable(Timestamp),
  },
  { $id: 'Crawl', description: 'A website that a bot crawls, and its progress.' },
)
export type Crawl = Static<typeof Crawl>

export const CrawlPagesQuery = Type.Object({ ...PageQuery.properties, state: Type.Optional(OneOf(crawlPageStates)) })

export const CrawlPage = Type.Object(
  {
    url: Type.String(),
    kind: OneOf(['page', 'sitemap']),
    state: OneOf(crawlPageStates),
    reason: Nullable(OneOf(crawlReasons, { description: 'Why it was skipped, failed, or will be retried.' })),
    related_url: Nullable(Type.String({ description: 'The target of its redirect, or the page it duplicates.' })),
    status_code: Nullable(Type.Integer()),
    title: Nullable(Type.String()),
    depth: Type.Integer({ description: 'Number of links from the start page.' }),
    document_id: Nullable(Type.String()),
    fetched_at: Nullable(Timestamp),
    next_attempt_at: Nullable(Timestamp),
  },
  { $id: 'CrawlPage' },
)
export type CrawlPage = Static<typeof CrawlPage>
