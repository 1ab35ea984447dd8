// Figures in Prometheus' text format: counters and histograms of our own, and those of the process. prom-client would
// bring four packages for these lines.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Histogram {
  buckets: number[]
  sum: number
  count: number
}

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number>()
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()

  return {
    count(name: string, labels: string, by = 1) {
      const series = entry(counters, name, () => new Map<string, number>())
      series.set(labels, (series.get(labels) ?? 0) + by)
    },

    /** Read whenever the figures are asked for. */
    gauge(name: string, read: () => number) {
      gauges.set(name, read)
    },

    observeSeconds(name: string, labels: string, seconds: number) {
      const series = entry(histograms, name, () => new Map<string, Histogram>())
      const histogram = entry(series, labels, () => ({ buckets: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 }))
      const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1
      histogram.sum += seconds
      histogram.count++
    },

    text(): string {
      const lines: string[] = []
      for (const [name, series] of counters) {
        lines.push(`# TYPE ${name} counter`)
        for (const [labels, value] of series) lines.push(`${name}{${labels}} ${value}`)
      }
      for (const [name, series] of histograms) {
        lines.push(`# TYPE ${name} histogram`)
        for (const [labels, histogram] of series) lines.push(...histogramLines(name, labels, histogram))
      }
      for (const [name, read] of gauges) lines.push(...gaugeLines(name, read()))
      lines.push(...processLines(loop.percentile(99) / 1e9))
      return `${lines.join('\n')}\n`
    },

    stop: () => loop.disable(),
  }
}

function histogramLines(name: string, labels: string, { buckets, sum, count }: Histogram): string[] {
  let running = 0
  const lines = buckets.map((value, index) => {
    running += value
    return `${name}_bucket{${labels},le="${BUCKETS_SECONDS[index]}"} ${running}`
  })
  lines.push(
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  )
  return lines
}

function processLines(loopDelaySeconds: number): string[] {
  const cpu = process.cpuUsage()
  const gauges = {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
    nodejs_eventloop_delay_p99_seconds: loopDelaySeconds,
  }
  return [
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(cpu.user + cpu.system) / 1e6}`,
    ...Object.entries(gauges).flatMap(([name, value]) => gaugeLines(name, value)),
  ]
}

function gaugeLines(name: string, value: number): string[] {
  return [`# TYPE ${name} gauge`, `${name} ${value}`]
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
