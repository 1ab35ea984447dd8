// Backups that the server makes itself.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { docent } from '../../../cli/test/harness/docent.ts'
import { openScheduledBackups, parseBackupState } from '../../src/maintenance/scheduled-backups.ts'
import { SCHEDULED_BACKUPS } from '../../src/storage/instance.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { createDatabase, type Engine, engines, type TestDatabase } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import { SECRET_KEY, startServer, type TestServer } from '../harness/start-server.ts'
import { pause } from '../harness/wait.ts'

const HOUR_MS = 3_600_000

function backupFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'docent-backups-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'backups')
}

const settings = (folder: string, more: Record<string, string> = {}) => ({
  BACKUP_EVERY: '6h',
  BACKUP_FOLDER: folder,
  BACKUP_KEEP: '2',
  SECRET_KEY,
  ...more,
})

const locationOf = ({ dataDir, databaseUrl }: TestDatabase) => ({
  DATA_DIR: dataDir,
  SECRET_KEY,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})

const backupsIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])
const stateOf = async ({ call }: TestServer) => (await call('GET /readyz')).body.backups
const metricsOf = async ({ call }: TestServer) => (await call('GET /metrics')).text

async function emptyDatabase(engine: Engine) {
  const database = await createDatabase(engine, { isEmpty: true })
  onTestFinished(database.drop)
  return database
}

describe.each(engines)('scheduled backups on %s', (engine) => {
  test('are made at start and at each interval, can be restored, and the oldest are deleted', async () => {
    const folder = backupFolder()
    const server = await startServer(engine, { environment: settings(folder) })
    const { clock, createBot } = server
    const names = ['2026-11-15T120000', '2026-11-15T180000', '2026-11-16T000000'].map((time) => `docent-${time}.backup`)
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: '2026-11-15T12:00:00.000Z', failed_at: null })
    expect(backupsIn(folder)).toEqual([names[0]])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect((await stateOf(server)).next_at).toBe('2026-11-15T18:00:00.000Z')

    await createBot()
    clock.now += 6 * HOUR_MS - 1
    await pause(1500)
    expect(backupsIn(folder)).toEqual([names[0]])
    clock.now += 1
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: '2026-11-15T18:00:00.000Z' })
    writeFileSync(join(folder, 'notes.txt'), 'not ours')
    clock.now += 6 * HOUR_MS
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: '2026-11-16T00:00:00.000Z' })
    expect(backupsIn(folder)).toEqual([names[1], names[2], 'notes.txt'])
    clock.now += 60_000
    const metrics = await metricsOf(server)
    expect(metrics).toContain('docent_backups_total{result="succeeded"} 3')
    expect(metrics).toMatch(/^docent_backup_age_seconds 60$/m)
    expect(metrics).toMatch(/^docent_backup_interval_seconds 21600$/m)
    expect(server.logs()).toContain('backup written')

    const target = await emptyDatabase(engine)
    const restore = await docent(['restore', join(folder, names[2] as string)], locationOf(target))
    expect(restore.output).toContain('1 bot.')
  })

  test('that fail are logged, counted and tried again, and delete nothing', async () => {
    const folder = backupFolder()
    // A file where the folder should be.
    writeFileSync(folder, '')
    const server = await startServer(engine, { environment: settings(folder) })
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: null, failed_at: '2026-11-15T12:00:00.000Z' })
    expect((await stateOf(server)).next_at).toBe('2026-11-15T13:00:00.000Z')
    expect(await metricsOf(server)).toContain('docent_backups_total{result="failed"} 1')
    expect(await metricsOf(server)).not.toMatch(/^docent_backup_age_seconds/m)
    expect(server.logs()).toContain('backup failed')
    const place = { ...locationOf(server.database), ...settings(folder) }
    expect((await docent(['doctor'], place)).output).toMatch(/! backups: failed at 2026-11-15T12:00:00.000Z: .*EEXIST/)

    rmSync(folder)
    mkdirSync(folder)
    const old = ['docent-2026-01-01T000000.backup', 'docent-2026-01-02T000000.backup']
    for (const name of old) writeFileSync(join(folder, name), '')
    server.clock.now += HOUR_MS
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: '2026-11-15T13:00:00.000Z', failed_at: null })
    expect(backupsIn(folder)).toEqual([old[1], 'docent-2026-11-15T130000.backup'])
  })

  test('interrupted by a kill are made again, and leave no draft', async () => {
    const folder = backupFolder()
    mkdirSync(folder)
    const file = join(folder, 'docent-2026-11-15T115900.backup')
    for (const suffix of ['.database', '.database-journal', '.partial']) writeFileSync(file + suffix, 'half')
    const database = await createDatabase(engine)
    onTestFinished(database.drop)
    const lease = { id: 'lease_of_a_killed_node', until: Date.UTC(2026, 10, 15, 12, 1), file }
    const state = JSON.stringify({ succeeded: null, failed: null, lease })
    await runStatement(database, `INSERT INTO instance_values (name, value) VALUES ('scheduled_backups', '${state}')`)
    const server = await startServer(engine, { environment: settings(folder), database })
    await pause(1500)
    expect(backupsIn(folder)).toHaveLength(3)
    server.clock.now += 60_000
    await expect.poll(() => stateOf(server)).toMatchObject({ last_at: '2026-11-15T12:01:00.000Z' })
    expect(backupsIn(folder)).toEqual(['docent-2026-11-15T120100.backup'])
    await server.stop()
  })
})

test('of several nodes one makes each backup, never a web node', async () => {
  const folder = backupFolder()
  const database = await createDatabase('postgres')
  onTestFinished(database.drop)
  const web = await startServer('postgres', { environment: settings(folder, { ROLE: 'web' }), database })
  await pause(1500)
  expect(backupsIn(folder)).toEqual([])
  const workers = await Promise.all(
    [1, 2, 3].map(() => startServer('postgres', { environment: settings(folder, { ROLE: 'worker' }), database })),
  )
  await expect.poll(() => stateOf(web)).toMatchObject({ last_at: '2026-11-15T12:00:00.000Z' })
  await pause(1500)
  const metrics = await Promise.all(workers.map(metricsOf))
  expect(metrics.filter((text) => text.includes('docent_backups_total{result="succeeded"} 1'))).toHaveLength(1)
  expect(metrics.filter((text) => text.includes('docent_backups_total{'))).toHaveLength(1)
  for (const worker of workers) await worker.stop()
  await web.stop()
})

test('a renewal of the lease at the end of a backup does not lose its result', async () => {
  const database = await createDatabase('sqlite')
  const storage = await openStorage({ ...database, databasePoolSize: 2 }, 0)
  onTestFinished(async () => {
    await storage.close()
    await database.drop()
  })
  const { instanceValues } = storage
  let isRenewed = false
  const replace: typeof instanceValues.replace = async (name, previous, value) => {
    const isEnd = JSON.parse(value).succeeded !== null
    // The renewal that came between reading the state and changing it.
    if (isEnd && !isRenewed && previous !== null) {
      isRenewed = true
      const { lease, ...state } = JSON.parse(previous)
      const renewedLease = JSON.stringify({ ...state, lease: { ...lease, until: lease.until + 1 } })
      expect(await instanceValues.replace(name, previous, renewedLease)).toBe(true)
    }
    return instanceValues.replace(name, previous, value)
  }
  const backups = openScheduledBackups({
    storage: { ...storage, instanceValues: { ...instanceValues, replace } },
    config: {
      backups: { everyMs: HOUR_MS, folder: backupFolder(), keep: 2 },
      role: 'all',
      dataDir: database.dataDir,
      databaseUrl: null,
      secretKey: SECRET_KEY,
    },
    logger: { info() {}, error() {} },
    metrics: { count() {}, gauge() {} },
    clock: () => Date.UTC(2026, 10, 15, 12),
    onError: (error: unknown) => expect.unreachable(String(error)),
    isStopping: () => false,
  } as unknown as Parameters<typeof openScheduledBackups>[0])
  backups.start?.()
  await expect.poll(() => isRenewed).toBe(true)
  await backups.stop?.()
  expect(parseBackupState(await instanceValues.find(SCHEDULED_BACKUPS))).toMatchObject({
    succeeded: { at: Date.UTC(2026, 10, 15, 12) },
    lease: null,
  })
})

test('a restart does not repeat a backup, and without a schedule there is none', async () => {
  const folder = backupFolder()
  const database = await createDatabase('sqlite')
  onTestFinished(database.drop)
  const before = await startServer('sqlite', { environment: settings(folder), database })
  await expect.poll(() => stateOf(before)).toMatchObject({ last_at: '2026-11-15T12:00:00.000Z' })
  await before.stop()
  const after = await startServer('sqlite', { environment: settings(folder), database })
  await pause(1500)
  expect(await metricsOf(after)).not.toContain('docent_backups_total{')
  await after.stop()
  const serverWithoutBackups = await startServer('sqlite', { environment: { SECRET_KEY }, database })
  expect(await stateOf(serverWithoutBackups)).toBeNull()
  await serverWithoutBackups.stop()
})
