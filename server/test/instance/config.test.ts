// The configuration: checked as a whole, with all errors reported together and no secrets in them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/config/env.ts'
import { readConfig } from '../../src/config.ts'
import { createTestDatabase, spawnProcess, startProcess } from '../harness/start-process.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

function errorsIn(environment: Environment): string {
  try {
    readConfig(environment)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

test('no setting is required', () => {
  const config = readConfig({})
  expect(config).toMatchObject({ port: 8080, baseUrl: 'http://localhost:8080', databaseUrl: null, demo: true })
  expect(config.dataDir).toBe(resolve('data'))
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', ADMIN_TOKEN: '' })).toEqual(readConfig({}))
})

test('the configuration cannot be changed once read', () => {
  const config = readConfig({})
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError)
})

test('all errors are reported together, each with the name of its variable', () => {
  const wrong = {
    PORT: '80a',
    BASE_URL: 'ftp://docent.test',
    DATABASE_URL: 'mysql://db.test/docent',
    DATABASE_POOL_SIZE: '0',
    ADMIN_TOKEN: 'short',
    METRICS_TOKEN: 'short',
    EMBEDDING_BASE_URL: 'http://models.test',
    DEMO_BOT: 'maybe',
    LOG_LEVEL: 'loud',
    STOP_TIMEOUT_SECONDS: '-1',
    ALLOWED_PRIVATE_NETWORKS: '10.0.0.0/8, inner.example',
    DNS_SERVERS: 'dns.example',
    TRUSTED_PROXIES: 'proxy.example',
    WEBHOOK_TIMEOUT_SECONDS: '0',
    DELIVERY_LOG_DAYS: '0',
    SECRET_KEY: 'short',
    ROLE: 'idle',
    SMTP_URL: 'http://mail.test',
    MAIL_FROM: 'nobody',
    AUDIT_LOG_DAYS: '0',
    BACKUP_EVERY: '5m',
    BACKUP_KEEP: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=100%',
    OTEL_TRACES_SAMPLER_ARG: '2',
  }
  const message = errorsIn(wrong)
  const problemLines = message.split('\n').slice(1)
  expect(problemLines.map((line) => /^ {2}- ([A-Z_]+) /.exec(line)?.[1]).sort()).toEqual(Object.keys(wrong).sort())
})

test('scheduled backups need an interval, and have defaults for the rest', () => {
  expect(readConfig({}).backups).toBeNull()
  expect(readConfig({ BACKUP_EVERY: '6h', DATA_DIR: '/srv/docent' }).backups).toEqual({
    everyMs: 6 * 3_600_000,
    folder: '/srv/docent/backups',
    keep: 7,
  })
  for (const every of ['1', '1w', '-1d', '14m', '32d', '1.5h'])
    expect(errorsIn({ BACKUP_EVERY: every })).toContain('BACKUP_EVERY must be a time from 15m to 31d')
  expect(errorsIn({ BACKUP_KEEP: '3' })).toContain('need BACKUP_EVERY')
})

describe('a secret', () => {
  const secrets = {
    ADMIN_TOKEN: 'adminToken',
    METRICS_TOKEN: 'metricsToken',
    SECRET_KEY: 'secretKey',
    DATABASE_URL: 'databaseUrl',
  } as const
  const value = 'postgres://user:CANARY-password@db.test/docent'

  test.each(Object.entries(secrets))('%s may come from a file', (name, field) => {
    const others = name === 'DATABASE_URL' ? { SECRET_KEY: 'x'.repeat(32) } : {}
    expect(readConfig({ ...others, [`${name}_FILE`]: secretFile(`${value}\n`) })[field]).toBe(value)
  })

  test.each(Object.keys(secrets))('%s set twice, or from a missing file, is an error', (name) => {
    const path = secretFile(value)
    expect(errorsIn({ [name]: value, [`${name}_FILE`]: path })).toContain(`${name} and ${name}_FILE`)
    expect(errorsIn({ [`${name}_FILE`]: `${path}-gone` })).toContain(`${name}_FILE`)
  })

  test.each(['ADMIN_TOKEN', 'METRICS_TOKEN'])('%s that is not valid in a header is an error', (name) => {
    for (const wrong of [
      'correct horse battery staple',
      'tab\tin-the-middle-of-a-token',
      'schlüssel-mit-umlaut-0123',
    ]) {
      expect(errorsIn({ [name]: wrong })).toContain(`${name} must`)
    }
    expect(errorsIn({ [name]: `!"#$%&'()*+,-./:;<=>?@[]^_{|}~` })).toBe('')
  })

  test('never appears in an error', () => {
    const message = errorsIn({
      ADMIN_TOKEN: 'CANARY-admin',
      METRICS_TOKEN: 'CANARY',
      DATABASE_URL: 'http://user:CANARY@db.test',
      BASE_URL: 'CANARY-not-a-url',
      SMTP_URL: 'http://user:CANARY@mail.test',
      MAIL_FROM: 'CANARY',
      PORT: 'CANARY',
      OTEL_EXPORTER_OTLP_HEADERS: 'CANARY',
      METRICS_TOKEN_FILE: secretFile('CANARY-short'),
    })
    expect(message).toContain('ADMIN_TOKEN')
    expect(message).not.toContain('CANARY')
  })
})

test('PostgreSQL without a secret key is an error that says where an earlier version kept it', async () => {
  const database = await createTestDatabase('sqlite')
  const environment = { DATABASE_URL: 'postgres://user:CANARY@db.test/docent' }
  const server = spawnProcess({ database, environment })
  expect(await server.exited).toBe(1)
  expect(server.output()).toMatch(/DATABASE_URL needs SECRET_KEY.*DATA_DIR\/secret-key/)
  expect(server.output()).not.toContain('CANARY')
})

test('a start with configuration errors prints only their list and exits with 1', async () => {
  const environment = { LOG_LEVEL: 'loud', DATABASE_URL: 'http://user:CANARY@db.test' }
  const server = spawnProcess({ database: await createTestDatabase('sqlite'), environment })
  expect(await server.exited).toBe(1)
  expect(server.output()).toMatch(/^The configuration has mistakes:\n {2}- DATABASE_URL .*\n {2}- LOG_LEVEL .*\n$/)
  expect(server.output()).not.toContain('CANARY')
})

test('an .env file in the working folder is read, and the environment takes precedence', async () => {
  const database = await createTestDatabase('sqlite')
  const lines = [
    '# settings',
    `ADMIN_TOKEN=${'x'.repeat(30)}`,
    '',
    'export METRICS_TOKEN="metrics-token-in-quotes"',
    'FILE_MAX_BYTES=2097152 # for development',
  ]
  writeFileSync(join(database.dataDir, '.env'), `${lines.join('\r\n')}\r\n`)
  const { call } = await startProcess({ database, environment: { ADMIN_TOKEN } })
  expect((await call('GET /metrics')).status).toBe(404)
  expect((await call('GET /metrics', { token: 'metrics-token-in-quotes' })).status).toBe(200)
  expect((await call('GET /api/manage/v1/bots', { token: ADMIN_TOKEN })).status).toBe(200)
  expect((await call('GET /api/manage/v1/bots', { token: 'x'.repeat(30) })).status).toBe(401)
})

test.each(['SECRET_KEY', 'ADMIN_TOKEN', 'METRICS_TOKEN', 'DATABASE_URL'])(
  'the placeholder of our examples is no %s',
  (name) => {
    const value = name === 'DATABASE_URL' ? 'postgres://docent:change-me@db.example/docent' : 'change-me-'.repeat(4)
    const errors = errorsIn({ [name]: value, ...(name === 'DATABASE_URL' ? { SECRET_KEY: 's'.repeat(32) } : {}) })
    expect(errors).toContain(`${name} is still the placeholder of an example`)
    expect(errors.toLowerCase()).not.toContain('change-me')
  },
)

test('no password of a database in our guides and manifests can be used as it is', () => {
  const folders = ['../../../docs/guides', '../../../deploy'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
  const urls = texts.flatMap((text) => text.match(/postgres:\/\/[\w-]+:[\w-]+@[\w.:-]+\/\w+/g) ?? [])
  expect(urls.length).toBeGreaterThan(0)
  for (const url of urls)
    expect(errorsIn({ DATABASE_URL: url, SECRET_KEY: 's'.repeat(32) })).toContain(
      'DATABASE_URL is still the placeholder',
    )
})

test('a variable that looks like a misspelt setting is warned about, with the nearest name; others are not', () => {
  const { warnings } = readConfig({
    OIDC_ISSUR: 'x',
    LOGLEVEL: 'x',
    WIDGET_FILES: '1',
    PATH: 'x',
    HOME: 'x',
    LANG: 'x',
  })
  expect(warnings).toEqual([
    'OIDC_ISSUR is no setting of Docent; did you mean OIDC_ISSUER?',
    'LOGLEVEL is no setting of Docent; did you mean LOG_LEVEL?',
    expect.stringMatching(/^WIDGET_FILES is no setting of Docent; did you mean WIDGET_FILES_PER_DAY\?$|WIDGET_/),
  ])
  expect(readConfig({ SECRET_KEY_FILE: secretFile('s'.repeat(32)) }).warnings).toEqual([])
})

test('a misspelt setting is in the log of the server that starts nevertheless', async () => {
  const database = await createTestDatabase('sqlite')
  const server = await startProcess({ database, environment: { WIDGET_SESSION_PER_HOUR: '5' } })
  await expect.poll(() => server.output()).toContain('did you mean WIDGET_SESSIONS_PER_HOUR?')
})

test('a start without its database names the host and the cause, and not the password', async () => {
  const environment = { DATABASE_URL: 'postgres://docent:CANARY-5@127.0.0.1:9/docent', SECRET_KEY: 's'.repeat(32) }
  const database = await createTestDatabase('sqlite')
  const server = spawnProcess({ database, environment })
  expect(await server.exited).toBe(1)
  expect(server.output()).toMatch(/The database at 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/)
  expect(server.output()).not.toContain('CANARY-5')
})
