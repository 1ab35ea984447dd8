// Server memory under load from visitors, files, catalogues and hostile callers, step by step.
//   node lab/performance/memory.ts [share]      share: fraction of the full load, default 1
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureMemory } from '../../server/test/harness/measure-memory.ts'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'

const ADMIN_TOKEN = 'bench-owner-token-0123456789'
const INDEX_MEMORY_BYTES = 64 * 1024 ** 2
const share = Number(process.argv[2] ?? 1)
const dataDir = mkdtempSync(join(tmpdir(), 'docent-memory-'))
const environment = {
  NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
  ADMIN_TOKEN,
  DEMO_BOT: 'off',
  EMBEDDINGS: 'off',
  LOG_LEVEL: 'warn',
  INDEX_MEMORY_BYTES: String(INDEX_MEMORY_BYTES),
  WIDGET_SESSIONS_PER_HOUR: '10000000',
  WIDGET_REQUESTS_PER_MINUTE: '10000000',
}
let server = spawnServer({ dataDir, environment })
try {
  // The second start, since the first has to strip the types of every file.
  await server.listening
  await server.stop()
  server = spawnServer({ dataDir, environment })
  const baseUrl = `http://127.0.0.1:${await server.listening}`
  const steps = await measureMemory({ pid: server.pid, baseUrl, adminToken: ADMIN_TOKEN, share })
  console.table(steps)
  const peak = Math.max(...steps.map(({ peakMb }) => peakMb))
  const limit = INDEX_MEMORY_BYTES / 1024 ** 2 + 300
  console.log(`most: ${peak} MB, allowed: ${limit} MB (INDEX_MEMORY_BYTES + 300 MB)`)
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
