// Metrics of the Node process, under the names that Node dashboards expect.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const RESOLUTION_MS = 20

/** Returns a function that stops it. */
export function observeProcess({ gauge }: Metrics): () => void {
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
