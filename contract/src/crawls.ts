// Websites that bots crawl.
import type { Static } from 'typebox'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { HttpUrl, Id, Nullable, OneOf, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

const CRAWL_STATES = ['queued', 'running', 'done', 'failed', 'stopped'] as const
const CRAWL_PAGE_STATES = ['queued', 'fetching', 'done', 'unchanged', 'skipped', 'failed', 'gone'] as const

/** Why a page was skipped or failed, or why a whole run imported nothing. */
export const CRAWL_REASONS = [
  // Skipped pages: the site or the crawl's settings leave them out, or they have nothing of their own to read.
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
  'needs_javascript',
  'sitemap',
  'too_deep',
  'trap',

  // Failed pages, some only after a few tries. An optional sitemap that is missing is skipped with `no_sitemap`.
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
  'password_protected',
  'no_text',
  'no_sitemap',
  'internal',

  // A failed run has the reason of its start page, or else this one.
  'no_pages',
] as const
export type CrawlReason = (typeof CRAWL_REASONS)[number]

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
      'Only matching pages are read. As in robots.txt: from the start of the path, `*` for anything, `$` for its end. If `url` matches and redirects to a page that does not, the folder of that page is added.',
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
        description: 'Runs again this long after the last run ended; null: never. Default: 168, a week.',
      }),
    ),
  ),
}

const CreateCrawl = Type.Object({
  ...settings,
  update_existing: Type.Optional(
    Type.Boolean({
      description:
        'If the bot already crawls this site (the same host, with or without `www.`) and its `include` does not leave out this URL, change and re-run that crawl with the given settings instead of adding another.',
    }),
  ),
})
const PatchCrawl = Type.Partial(Type.Object(settings))

const Reasons = Type.Array(Type.Object({ reason: OneOf(CRAWL_REASONS), pages: Type.Integer() }))

export const Crawl = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    max_pages: Type.Integer(),
    include: Type.Array(Type.String()),
    exclude: Type.Array(Type.String()),
    hosts: Type.Array(Type.String()),
    every_hours: Nullable(Type.Integer()),
    state: OneOf(CRAWL_STATES),
    reason: Nullable(OneOf(CRAWL_REASONS, { description: 'Why the last run imported nothing.' })),
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

const PageKind = OneOf(['page', 'sitemap'])

const CrawlPagesQuery = Type.Object({
  ...PageQuery.properties,
  kind: Type.Optional(PageKind),
  state: Type.Optional(OneOf(CRAWL_PAGE_STATES)),
})

export const CrawlPage = Type.Object(
  {
    url: Type.String(),
    kind: PageKind,
    state: OneOf(CRAWL_PAGE_STATES),
    reason: Nullable(OneOf(CRAWL_REASONS, { description: 'Why it was skipped, failed, or will be retried.' })),
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

const ofCrawl = Params({ botId: Id, crawlId: Id })

export const crawlRoutes = {
  'POST /api/manage/v1/bots/{botId}/crawls': {
    summary: 'Crawl a website',
    description:
      'Starts immediately. `url` is a page, whose links are followed within the site, or a sitemap, whose pages are read. Pages are searchable as soon as they are read. robots.txt is respected; the user agent is `DocentBot`.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofBot,
    body: CreateCrawl,
    status: 201,
    response: Crawl,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'too_many_crawls'],
    audit: 'crawl.created',
  },
  'GET /api/manage/v1/bots/{botId}/crawls': {
    summary: 'List the crawls',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(Crawl),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'GET /api/manage/v1/bots/{botId}/crawls/{crawlId}': {
    summary: 'Read a crawl and its progress',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofCrawl,
    status: 200,
    response: Crawl,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
  'PATCH /api/manage/v1/bots/{botId}/crawls/{crawlId}': {
    summary: 'Change a crawl',
    description: 'Applies to pages visited from now on; run it again to update all pages.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofCrawl,
    body: PatchCrawl,
    status: 200,
    response: Crawl,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'crawl.changed',
  },
  'DELETE /api/manage/v1/bots/{botId}/crawls/{crawlId}': {
    summary: 'Delete a crawl with its documents',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofCrawl,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'crawl.deleted',
  },
  'POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/run': {
    summary: 'Run a crawl again now',
    description: 'Unchanged pages are not downloaded again. A current run continues.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofCrawl,
    status: 200,
    response: Crawl,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'crawl.started',
  },
  'POST /api/manage/v1/bots/{botId}/crawls/{crawlId}/stop': {
    summary: 'Stop a crawl',
    description: 'Pages read so far are kept. It runs again only on request.',
    tag: 'Knowledge',
    caller: 'management',
    role: 'editor',
    params: ofCrawl,
    status: 200,
    response: Crawl,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'crawl.stopped',
  },
  'GET /api/manage/v1/bots/{botId}/crawls/{crawlId}/pages': {
    summary: 'List the pages of a crawl with their results',
    tag: 'Knowledge',
    caller: 'management',
    role: 'viewer',
    params: ofCrawl,
    query: CrawlPagesQuery,
    status: 200,
    response: Page(CrawlPage),
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
  },
} as const satisfies Record<string, RouteSpec>
