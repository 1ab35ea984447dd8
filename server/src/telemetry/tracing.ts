// Traces, if a collector is configured.
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Part } from '../lifecycle.ts'
import { VERSION } from '../version.ts'
import type { Metrics } from './metrics.ts'
import { openOtlpExporter } from './otlp-exporter.ts'
import { makeTracer, noTrace, type Trace, type Tracer } from './tracer.ts'

const WARN_EVERY_MS = 60_000

interface Deps {
  config: Pick<Config, 'tracing'>
  metrics: Pick<Metrics, 'count'>
  logger: Pick<Logger, 'warn'>
}

/** `tracer` is null without a collector. */
export function openTracing({ config, metrics, logger }: Deps): Part & { tracer: Tracer | null; trace: Trace } {
  if (!config.tracing) return { tracer: null, trace: noTrace }
  const { endpoint, headers, serviceName, ratio } = config.tracing
  let warnedAt = Number.NEGATIVE_INFINITY
  const exporter = openOtlpExporter({
    endpoint,
    headers,
    resource: { 'service.name': serviceName, 'service.version': VERSION },
    onResult(result, spans, reason) {
      metrics.count('docent_spans_total', { result }, spans)
      if (!reason || performance.now() - warnedAt < WARN_EVERY_MS) return
      warnedAt = performance.now()
      logger.warn({ reason }, 'traces could not be sent')
    },
  })
  const tracer = makeTracer({ ratio, onEnd: exporter.add })
  return { tracer, trace: tracer.trace, stop: exporter.close }
}
