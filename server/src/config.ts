// The only reader of the environment. Checked as a whole, so that all mistakes are reported together, then frozen.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ROLES, type Role } from '@docent/contract'
import { type Environment, type EnvReader, makeEnvReader } from './config/env.ts'
import { DAY_MS } from './days.ts'
import { type Network, parseNetwork } from './outbound/guard.ts'

export interface Config {
  host: string
  port: number
  baseUrl: string
  /** Where the widget is served; `baseUrl` unless it has its own host. */
  widgetBaseUrl: string
  dataDir: string
  databaseUrl: string | null
  databasePoolSize: number
  role: NodeRole
  adminToken: string | null
  metricsToken: string | null
  /** Null: email is not configured. */
  smtp: { url: string; from: string } | null
  oidc: OidcConfig | null
  /** Whether people log in with a password. */
  passwordLogin: boolean
  /** Retention of the audit log. */
  auditLogMs: number
  /** Seals stored secrets; null (SQLite only): from a file in the data folder. */
  secretKey: string | null
  /** Null: questions are matched by words only. */
  embeddings: { modelDir?: string; provider?: { baseUrl: string; apiKey: string | null; model: string } } | null
  indexMemoryBytes: number
  syncMaxBytes: number
  syncMaxItems: number
  feedTimeoutMs: number
  /** Private networks that user-given URLs may reach. */
  allowedPrivateNetworks: Network[]
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  /** Trusted proxies are exempt. */
  connectionsPerAddress: number
  /** How long a response may stay unread before its connection is closed. */
  unreadTimeoutMs: number
  /** Memory for responses that callers have not read yet. */
  unreadBytes: number
  unreadBytesPerAddress: number
  /** Files and exports, per address. */
  downloadsPerMinute: number
  /** Resolvers for user-given URLs; empty: the system's. */
  dnsServers: string[]
  /** Language model calls per workspace. */
  modelCallsPerDay: number
  /** For files in chats. */
  attachmentMaxBytes: number
  fileMaxBytes: number
  parsing: ParsingLimits
  webhookTimeoutMs: number
  actionTimeoutMs: number
  /** Retention of finished deliveries. */
  deliveryLogMs: number
  crawl: CrawlLimits
  widget: WidgetLimits
  /** Null: no tracing. */
  tracing: { endpoint: string; headers: Record<string, string>; serviceName: string; ratio: number } | null
  demo: boolean
  logLevel: string
  stopTimeoutMs: number
  /** Null: the server makes no backups. */
  backups: { everyMs: number; folder: string; keep: number } | null
  /** To be logged: the server starts nevertheless. */
  warnings: string[]
}

/** What a node does: answer requests, background work, or both. */
type NodeRole = 'web' | 'worker' | 'all'

/** Limits per file, page or document. */
interface ParsingLimits {
  /** Parser threads; the last is reserved for workspaces that use little. */
  threads: number
  timeoutMs: number
  /** Nesting depth of elements. */
  maxDepth: number
  /** Maximum uncompressed size. */
  maxBytes: number
}

interface CrawlLimits {
  /** Per crawl. */
  maxPages: number
  pageBytes: number
  timeoutMs: number
  /** Concurrent crawls per node. */
  atOnce: number
  /** Concurrent requests per host, and the pause between them. */
  hostConcurrency: number
  hostDelayMs: number
}

/** Rate limits for anonymous visitors. */
interface WidgetLimits {
  /** Per session. */
  messagesPerMinute: number
  /** Per address and bot. */
  requestsPerMinute: number
  /** Per address. */
  sessionsPerHour: number
  /** Per address. */
  filesPerDay: number
  /** Per address and bot. */
  streamsPerAddress: number
  /** How many times the limits per address and bot apply to all bots together. */
  botsPerAddress: number
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

export function readConfig(environment: Environment): Config {
  const mistakes: string[] = []
  const env = makeEnvReader(environment, mistakes)

  const port = env.integer('PORT', 8080, 0, 65_535)
  const baseUrl = env.url('BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`
  const config: Config = {
    host: env.text('HOST') ?? '0.0.0.0',
    port,
    baseUrl,
    widgetBaseUrl: env.url('WIDGET_BASE_URL', ['http:', 'https:']) ?? baseUrl,
    dataDir: resolve(env.text('DATA_DIR') ?? './data'),
    databaseUrl: env.secretUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: env.integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    role: env.oneOf('ROLE', ['all', 'web', 'worker'], 'all') as NodeRole,
    adminToken: env.secret('ADMIN_TOKEN', 24),
    metricsToken: env.secret('METRICS_TOKEN', 16),
    smtp: smtp(env, mistakes),
    oidc: readOidc(env, mistakes),
    passwordLogin: env.oneOf('PASSWORD_LOGIN', ['on', 'off'], 'on') === 'on',
    auditLogMs: env.integer('AUDIT_LOG_DAYS', 365, 1, 3650) * DAY_MS,
    secretKey: env.secret('SECRET_KEY', 32),
    embeddings: embeddings(env, mistakes),
    indexMemoryBytes: env.integer('INDEX_MEMORY_BYTES', 1024 ** 3, 1024 ** 2, Number.MAX_SAFE_INTEGER),
    allowedPrivateNetworks: env.list('ALLOWED_PRIVATE_NETWORKS', parseNetwork, 'addresses in CIDR notation'),
    trustedProxies: env.list(
      'TRUSTED_PROXIES',
      (text) => (parseNetwork(text) ? text : undefined),
      'addresses in CIDR notation',
    ),
    connectionsPerAddress: env.integer('CONNECTIONS_PER_ADDRESS', 1000, 1, 1_000_000),
    unreadTimeoutMs: env.integer('UNREAD_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
    unreadBytes: env.integer('UNREAD_BYTES', 128 * 1024 ** 2, 1024 ** 2, Number.MAX_SAFE_INTEGER),
    unreadBytesPerAddress: env.integer('UNREAD_BYTES_PER_ADDRESS', 16 * 1024 ** 2, 1024, Number.MAX_SAFE_INTEGER),
    downloadsPerMinute: env.integer('DOWNLOADS_PER_MINUTE', 600, 1, 10_000_000),
    dnsServers: env.list('DNS_SERVERS', parseDnsServer, 'addresses of name servers, each with or without a port'),
    modelCallsPerDay: env.integer('MODEL_CALLS_PER_DAY', 10_000, 0, 1_000_000_000),
    attachmentMaxBytes: env.integer('ATTACHMENT_MAX_BYTES', 5 * 1024 ** 2, 1024, 20 * 1024 ** 2),
    fileMaxBytes: env.integer('FILE_MAX_BYTES', 20 * 1024 ** 2, 1024, 100 * 1024 ** 2),
    parsing: {
      threads: env.integer('PARSE_THREADS', 2, 1, 64),
      timeoutMs: env.integer('PARSE_TIMEOUT_SECONDS', 30, 1, 600) * 1000,
      maxDepth: env.integer('PARSE_MAX_DEPTH', 10_000, 100, 20_000),
      maxBytes: env.integer('PARSE_MAX_BYTES', 64 * 1024 ** 2, 1024 ** 2, 1024 ** 3),
    },
    actionTimeoutMs: env.integer('ACTION_TIMEOUT_SECONDS', 10, 1, 10) * 1000,
    webhookTimeoutMs: env.integer('WEBHOOK_TIMEOUT_SECONDS', 15, 1, 60) * 1000,
    deliveryLogMs: env.integer('DELIVERY_LOG_DAYS', 30, 1, 3650) * DAY_MS,
    syncMaxBytes: env.integer('SYNC_MAX_BYTES', 100 * 1024 ** 2, 1024, 10 * 1024 ** 3),
    syncMaxItems: env.integer('SYNC_MAX_ITEMS', 200_000, 1, 10_000_000),
    feedTimeoutMs: env.integer('FEED_TIMEOUT_SECONDS', 300, 1, 3600) * 1000,
    crawl: {
      maxPages: env.integer('CRAWL_MAX_PAGES', 2000, 1, 1_000_000),
      pageBytes: env.integer('CRAWL_PAGE_BYTES', 5 * 1024 ** 2, 1024, 50 * 1024 ** 2),
      timeoutMs: env.integer('CRAWL_TIMEOUT_SECONDS', 20, 1, 120) * 1000,
      atOnce: env.integer('CRAWL_CONCURRENCY', 4, 0, 100),
      hostConcurrency: env.integer('CRAWL_HOST_CONCURRENCY', 2, 1, 20),
      hostDelayMs: env.integer('CRAWL_HOST_DELAY_MS', 200, 0, 60_000),
    },
    widget: {
      messagesPerMinute: env.integer('WIDGET_MESSAGES_PER_MINUTE', 20, 1, 1_000_000),
      requestsPerMinute: env.integer('WIDGET_REQUESTS_PER_MINUTE', 60, 1, 10_000_000),
      sessionsPerHour: env.integer('WIDGET_SESSIONS_PER_HOUR', 30, 1, 10_000_000),
      filesPerDay: env.integer('WIDGET_FILES_PER_DAY', 60, 1, 1_000_000),
      streamsPerAddress: env.integer('WIDGET_STREAMS_PER_ADDRESS', 50, 1, 1_000_000),
      botsPerAddress: env.integer('WIDGET_BOTS_PER_ADDRESS', 4, 1, 1_000_000),
    },
    tracing: tracing(env, mistakes),
    demo: env.oneOf('DEMO_BOT', ['on', 'off'], 'on') === 'on',
    logLevel: env.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    stopTimeoutMs: env.integer('STOP_TIMEOUT_SECONDS', 20, 0, 20) * 1000,
    backups: backups(env, mistakes),
    warnings: [],
  }
  config.warnings.push(...env.unknownNames())
  if (config.databaseUrl && !config.secretKey && mistakes.every((mistake) => !mistake.startsWith('SECRET_KEY')))
    mistakes.push(
      'DATABASE_URL needs SECRET_KEY, the same on all nodes; an instance that ran without has it in DATA_DIR/secret-key',
    )
  if (!config.passwordLogin && !config.oidc) mistakes.push('PASSWORD_LOGIN=off needs OIDC_ISSUER')
  if (config.role !== 'all' && !config.databaseUrl)
    mistakes.push('ROLE needs DATABASE_URL: SQLite supports only one process')
  if (mistakes.length > 0)
    throw new Error(`The configuration has mistakes:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`)
  return Object.freeze(config)
}

function smtp(env: EnvReader, mistakes: string[]): Config['smtp'] {
  const url = env.secretUrl('SMTP_URL', ['smtp:', 'smtps:'])
  const from = env.text('MAIL_FROM')
  if (url && !from) mistakes.push('SMTP_URL needs MAIL_FROM, the sender address')
  if (from && !/^[^@\s<>]+@[^@\s<>]+$|^[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>$/.test(from))
    mistakes.push('MAIL_FROM must be an email address, with or without a name: Docent <docent@example.com>')
  return url && from ? { url, from } : null
}

function backups(env: EnvReader, mistakes: string[]): Config['backups'] {
  const everyMs = env.duration('BACKUP_EVERY', 15 * 60_000, 31 * DAY_MS, 'a time from 15m to 31d, such as 6h or 1d')
  const folder = env.text('BACKUP_FOLDER')
  const keep = env.integer('BACKUP_KEEP', 7, 1, 10_000)
  if (!env.text('BACKUP_EVERY') && (folder || env.text('BACKUP_KEEP')))
    mistakes.push('BACKUP_FOLDER and BACKUP_KEEP need BACKUP_EVERY')
  const otherwise = join(env.text('DATA_DIR') ?? './data', 'backups')
  return everyMs === null ? null : { everyMs, folder: resolve(folder ?? otherwise), keep }
}

function embeddings(env: EnvReader, mistakes: string[]): Config['embeddings'] {
  const mode = env.oneOf('EMBEDDINGS', ['on', 'off'], 'on')
  const modelDir = env.text('EMBEDDING_MODEL_DIR')
  const baseUrl = env.url('EMBEDDING_BASE_URL', ['http:', 'https:'])
  const apiKey = env.secret('EMBEDDING_API_KEY', 1)
  const model = env.text('EMBEDDING_MODEL')
  if (baseUrl && !model) mistakes.push('EMBEDDING_BASE_URL needs EMBEDDING_MODEL')
  if (!baseUrl && (apiKey || model)) mistakes.push('EMBEDDING_API_KEY and EMBEDDING_MODEL need EMBEDDING_BASE_URL')
  if (baseUrl && modelDir) mistakes.push('EMBEDDING_BASE_URL and EMBEDDING_MODEL_DIR are both set; set one')
  if (mode === 'off') return null
  if (baseUrl && model) return { provider: { baseUrl, apiKey, model } }
  return modelDir ? { modelDir: resolve(modelDir) } : {}
}

/** Uses OpenTelemetry's own variable names. */
function tracing(env: EnvReader, mistakes: string[]): Config['tracing'] {
  const endpoint = env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  const pairs = env.secret('OTEL_EXPORTER_OTLP_HEADERS', 1)?.split(',').map(parseHeader) ?? []
  const headers = Object.fromEntries(pairs.flatMap((pair) => (pair ? [pair] : [])))
  if (pairs.includes(undefined)) mistakes.push('OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas')
  const ratio = Number(env.text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(ratio >= 0 && ratio <= 1)) mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  const serviceName = env.text('OTEL_SERVICE_NAME') ?? 'docent'
  return endpoint ? { endpoint, headers, serviceName, ratio } : null
}

function parseHeader(pair: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([\w-]+)=((?:[^%]|%[0-7][0-9a-f])+)$/i.exec(pair) ?? []
  return name && value ? [name, decodeURIComponent(value)] : undefined
}

function parseDnsServer(text: string): string | undefined {
  const address = /^\[(.+)\](?::\d+)?$|^([\d.]+)(?::\d+)?$|^(.+)$/.exec(text)
  return isIP(address?.[1] ?? address?.[2] ?? address?.[3] ?? '') ? text : undefined
}

/** The process environment, plus a `.env` file in the working directory if there is one. */
export function processEnvironment(): Environment {
  const path = resolve('.env')
  const fromFile = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}
  return { ...fromFile, ...process.env }
}

/** The OpenID provider that people log in through. */
interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | null
  /** Label of the log-in button. */
  name: string
  scopes: string
  trustEmail: boolean
  roleClaim: string | null
  roles: { value: string; role: Role }[]
  defaultRole: Role | null
  /** Null: the instance's workspace. */
  workspaceId: string | null
}

function readOidc(env: EnvReader, mistakes: string[]): OidcConfig | null {
  // Taken literally: a trailing slash makes it a different issuer.
  const issuer = env.text('OIDC_ISSUER')
  if (issuer && !/^https?:\/\/\S+$/.test(issuer))
    mistakes.push('OIDC_ISSUER must be a URL that starts with http:// or https://')
  const clientId = env.text('OIDC_CLIENT_ID')
  const defaultRole = env.oneOf('OIDC_DEFAULT_ROLE', ['none', ...ROLES], 'none')
  const roleClaim = env.text('OIDC_ROLE_CLAIM')
  const pairs = env.text('OIDC_ROLES')?.split(',') ?? []
  const mapping = pairs.flatMap((pair) => {
    const at = pair.lastIndexOf('=')
    const [value, role] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    return value && ROLES.includes(role as Role) ? [{ value, role: role as Role }] : []
  })
  if (mapping.length < pairs.length)
    mistakes.push(`OIDC_ROLES must be pairs such as staff=editor, separated by commas; roles are ${ROLES.join(', ')}`)
  if (Boolean(roleClaim) !== mapping.length > 0) mistakes.push('OIDC_ROLE_CLAIM and OIDC_ROLES need each other')
  if (Boolean(issuer) !== Boolean(clientId)) mistakes.push('OIDC_ISSUER and OIDC_CLIENT_ID need each other')
  const options = {
    clientSecret: env.secret('OIDC_CLIENT_SECRET', 1),
    name: env.text('OIDC_NAME') ?? 'single sign-on',
    scopes: env.text('OIDC_SCOPES') ?? 'openid email profile',
    trustEmail: env.oneOf('OIDC_TRUST_EMAIL', ['on', 'off'], 'off') === 'on',
    defaultRole: defaultRole === 'none' ? null : (defaultRole as Role),
    workspaceId: env.text('OIDC_WORKSPACE_ID'),
  }
  return issuer && clientId ? { issuer, clientId, roleClaim, roles: mapping, ...options } : null
}
