// Metrics of the instance and of the Node process, read on request.
import { statfs } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Config } from '../config.ts'
import type { Part } from '../lifecycle.ts'
import type { Storage } from '../storage/storage.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { VERSION } from '../version.ts'
import type { openReadiness } from './readiness.ts'

const RESOLUTION_MS = 20

interface Deps {
  metrics: Metrics
  storage: Pick<Storage, 'engine' | 'load' | 'measure'>
  config: Pick<Config, 'dataDir' | 'indexMemoryBytes'>
  readiness: ReturnType<typeof openReadiness>
  indexBytes: () => number
}

export function openInstanceMetrics({ metrics, storage, config, readiness, indexBytes }: Deps): Part {
  const { gauge } = metrics
  const { engine, load, measure } = storage
  const stopProcess = observeProcess(metrics)
  const { backlogs, whyNotReady } = readiness

  gauge('docent_queue_depth', async () =>
    Object.entries(await backlogs()).map(([queue, { depth }]) => [{ queue }, depth]),
  )
  gauge('docent_queue_oldest_seconds', async () =>
    Object.entries(await backlogs()).map(([queue, { oldest_seconds }]) => [{ queue }, oldest_seconds]),
  )
  gauge('docent_index_memory_bytes', indexBytes)
  gauge('docent_index_memory_limit_bytes', () => config.indexMemoryBytes)
  gauge('docent_ready', async () => ((await whyNotReady()) === null ? 1 : 0))
  gauge('docent_build_info', () => [[{ version: VERSION, database: engine }, 1]])

  gauge('docent_database_operations_in_progress', () => load().operations)
  gauge('docent_database_size_bytes', async () => (await measure()).sizeBytes)
  if (engine === 'postgres') gauge('docent_database_pool_size', () => load().poolSize ?? 0)
  else gauge('docent_database_wal_bytes', async () => (await measure()).walBytes ?? 0)
  gauge('docent_disk_free_bytes', async () => {
    const { bavail, bsize } = await statfs(config.dataDir)
    return bavail * bsize
  })
  gauge('docent_disk_size_bytes', async () => {
    const { blocks, bsize } = await statfs(config.dataDir)
    return blocks * bsize
  })

  return {
    async stop() {
      stopProcess()
    },
  }
}

/** Under the names that Node dashboards expect. Returns a function that stops it. */
function observeProcess({ gauge }: Metrics): () => void {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  loop.enable()
  gauge('process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge('process_resident_memory_bytes', () => process.memoryUsage.rss())
  gauge('process_start_time_seconds', () => Math.round(performance.timeOrigin / 1000))
  gauge('nodejs_heap_size_used_bytes', () => process.memoryUsage().heapUsed)
  gauge('nodejs_external_memory_bytes', () => process.memoryUsage().external)
  gauge('nodejs_eventloop_lag_p50_seconds', () => lagSeconds(loop.percentile(50)))
  gauge('nodejs_eventloop_lag_p99_seconds', () => lagSeconds(loop.percentile(99)))
  gauge('nodejs_eventloop_lag_max_seconds', () => {
    const max = lagSeconds(loop.max)
    // Read last of the three: start the next interval.
    loop.reset()
    return max
  })
  return () => loop.disable()
}

/** The delay without the timer's own resolution. */
function lagSeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
}
