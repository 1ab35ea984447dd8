// Traces, if a collector is configured.
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Part } from '../../lifecycle.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createOtlpExporter } from '../../telemetry/otlp-exporter.ts'
import { noTrace, type Trace } from '../../telemetry/trace.ts'
import { createTracer, type Tracer } from '../../telemetry/tracer.ts'
import { VERSION } from '../../version.ts'

const WARN_EVERY_MS = 60_000

interface Deps {
  config: Pick<Config, 'tracing'>
  metrics: Pick<Metrics, 'count'>
  logger: Pick<Logger, 'warn'>
}

/** `tracer` is null without a collector. */
export function createTracingPart({ config, metrics, logger }: Deps): Part & { tracer: Tracer | null; trace: Trace } {
  if (!config.tracing) return { tracer: null, trace: noTrace }
  const { endpoint, headers, serviceName, ratio } = config.tracing
  let warnedAt = Number.NEGATIVE_INFINITY
  const exporter = createOtlpExporter({
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
  const tracer = createTracer({ ratio, onEnd: exporter.add })
  return { tracer, trace: tracer.trace, stop: exporter.close }
}
