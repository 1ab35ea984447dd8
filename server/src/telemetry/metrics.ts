// Metrics in Prometheus' text format. Not prom-client: it takes 1 µs per observation instead of 0.1, at fifteen per
// turn, and adds four packages of 4.6 MB.
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type Labels,
  type MetricName,
  metricDefinitions,
} from './metric-definitions.ts'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// A database that does not answer must not block the other metrics.
const LONGEST_READ_MS = 3000

interface Histogram {
  buckets: number[]
  sum: number
  count: number
}

type ReadName = GaugeName | CounterName
type Reading<N extends ReadName> = number | [labels: Labels<N>, value: number][]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const readers = new Map<string, () => Promise<string[]>>()

  async function samplesOf(name: MetricName): Promise<string[]> {
    const read = readers.get(name)
    // A metric that cannot be read now is left out.
    if (read) return Promise.race([read(), deadline()]).catch(() => [])
    if (metricDefinitions[name].type === 'histogram') {
      return [...(histograms.get(name) ?? [])].flatMap(([labels, each]) => histogramLines(name, labels, each))
    }
    return [...(counters.get(name) ?? [])].map(([labels, value]) => sample(name, labels, value))
  }

  return {
    count<N extends CounterName>(name: N, labels: Labels<N>, by = 1) {
      const series = entry(counters, name, () => new Map<string, number>())
      const key = labelText(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },

    observeSeconds<N extends HistogramName>(name: N, labels: Labels<N>, seconds: number) {
      const series = entry(histograms, name, () => new Map<string, Histogram>())
      const histogram = entry(series, labelText(labels), emptyHistogram)
      const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1
      histogram.sum += seconds
      histogram.count++
    },

    /** A value read on each scrape. */
    gauge<N extends ReadName>(name: N, read: () => Reading<N> | Promise<Reading<N>>) {
      readers.set(name, async () => {
        const reading = await read()
        if (typeof reading === 'number') return [sample(name, '', reading)]
        return reading.map(([labels, value]) => sample(name, labelText(labels), value))
      })
    },

    async text(): Promise<string> {
      const names = Object.keys(metricDefinitions) as MetricName[]
      const samples = await Promise.all(names.map(samplesOf))
      const lines = names.flatMap((name, index) => {
        const { help, type } = metricDefinitions[name]
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(samples[index] ?? [])]
      })
      return `${lines.join('\n')}\n`
    },
  }
}

/** All label values are ours, so none needs escaping. */
function labelText(labels: Record<string, string | number | boolean>): string {
  let text = ''
  for (const name in labels) text += `${text && ','}${name}="${labels[name]}"`
  return text
}

function sample(name: string, labels: string, value: number): string {
  return labels ? `${name}{${labels}} ${value}` : `${name} ${value}`
}

function emptyHistogram(): Histogram {
  return { buckets: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 }
}

function histogramLines(name: string, labels: string, { buckets, sum, count }: Histogram): string[] {
  let running = 0
  const lines = buckets.map((value, index) => {
    running += value
    return sample(`${name}_bucket`, `${labels},le="${BUCKETS_SECONDS[index]}"`, running)
  })
  return [
    ...lines,
    sample(`${name}_bucket`, `${labels},le="+Inf"`, count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ]
}

function deadline(): Promise<string[]> {
  return new Promise((resolve) => setTimeout(resolve, LONGEST_READ_MS, []).unref())
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
