// Traces, sent to an OpenTelemetry collector if one is configured.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Part } from '../lifecycle.ts'
import { VERSION } from '../version.ts'
import type { Metrics } from './metrics.ts'

type Attributes = Record<string, string | number | boolean>

export interface Span {
  set(attributes: Attributes): void
  /** Marks the span as failed. */
  fail(reason: string): void
}

type SpanKind = 'internal' | 'server' | 'client'

/** Runs the work as a child of the current span. Without a collector it just runs the work. */
export type Trace = <T>(name: string, attributes: Attributes, work: (span: Span) => T, kind?: SpanKind) => T

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
  const tracer = makeTracer(ratio, exporter.add)
  return { tracer, trace: tracer.trace, stop: exporter.close }
}

const noSpan: Span = { set() {}, fail() {} }
const noTrace: Trace = (_name, _attributes, work) => work(noSpan)

interface EndedSpan {
  traceId: string
  id: string
  parentId: string | null
  name: string
  kind: SpanKind
  /** Unix time in milliseconds, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Attributes
  failure: string | null
}

export interface OpenSpan extends Span {
  readonly traceId: string
  /** Spans started inside this work become its children. */
  run<T>(work: () => T): T
  end(): void
}

interface ParentSpan {
  traceId: string
  id: string
  isSampled: boolean
}

export type Tracer = ReturnType<typeof makeTracer>

/** `ratio`: the share of traces to keep, 0 to 1. The parent span comes from the asynchronous context. */
function makeTracer(ratio: number, onEnd: (span: EndedSpan) => void) {
  const context = new AsyncLocalStorage<ParentSpan>()

  /** `traceparent` is the header of a caller whose trace continues here. */
  function begin(name: string, kind: SpanKind, attributes: Attributes, traceparent?: string): OpenSpan {
    const parent = context.getStore() ?? parentOf(traceparent)
    const { traceId, isSampled } = parent ?? { traceId: randomHex(16), isSampled: Math.random() < ratio }
    const ownSpan = { traceId, id: randomHex(8), isSampled }
    const startedAt = now()
    let failure: string | null = null
    return {
      traceId,
      set: (more) => void Object.assign(attributes, more),
      fail(reason) {
        failure = reason
      },
      run: (work) => context.run(ownSpan, work),
      end() {
        if (!isSampled) return
        const parentId = parent?.id ?? null
        onEnd({ traceId, id: ownSpan.id, parentId, name, kind, startedAt, endedAt: now(), attributes, failure })
      },
    }
  }

  const trace: Trace = (name, attributes, work, kind = 'internal') => {
    const span = begin(name, kind, { ...attributes })
    const endFailed = (error: unknown) => {
      span.fail(error instanceof Error ? error.name : 'failed')
      span.end()
    }
    try {
      const result = span.run(() => work(span))
      if (result instanceof Promise) void result.then(span.end, endFailed)
      else span.end()
      return result
    } catch (error) {
      endFailed(error)
      throw error
    }
  }

  return { begin, trace }
}

/** Parses a W3C Trace Context header. */
function parentOf(traceparent: string | undefined): ParentSpan | undefined {
  const [, traceId, id, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !id || !flags || /^0+$/.test(traceId) || /^0+$/.test(id)) return undefined
  return { traceId, id, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

// Sends finished spans to an OpenTelemetry collector as JSON over HTTP. Not OpenTelemetry's SDK: it takes 27 MB
// on disk, 31 MB of memory and 0.4 s at startup. Spans the collector does not accept are dropped, so that tracing never
// slows the service down.

const SEND_EVERY_MS = 2000
const MAX_PER_REQUEST = 500
const MAX_WAITING = 5000
const TIMEOUT_MS = 5000

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
const FAILED = 2

interface ExporterOptions {
  endpoint: string
  headers: Record<string, string>
  /** Attributes of the whole service. */
  resource: Attributes
  onResult: (result: 'sent' | 'dropped', spans: number, reason?: string) => void
}

interface OtlpExporter {
  add(span: EndedSpan): void
  /** Sends what is queued, once. */
  close(): Promise<void>
}

function openOtlpExporter({ endpoint, headers, resource, onResult }: ExporterOptions): OtlpExporter {
  const waiting: EndedSpan[] = []
  let sending: Promise<void> | null = null
  const timer = setInterval(send, SEND_EVERY_MS).unref()

  function send(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = null
    })
    return sending
  }

  async function sendAll() {
    while (waiting.length > 0) {
      const spans = waiting.splice(0, MAX_PER_REQUEST)
      const failure = await post(spans)
      if (failure === null) onResult('sent', spans.length)
      else return onResult('dropped', spans.length, failure)
    }
  }

  async function post(spans: EndedSpan[]): Promise<string | null> {
    try {
      const response = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(tracesOf(spans, resource)),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      return response.ok ? null : `status ${response.status}`
    } catch (error) {
      return (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name
    }
  }

  return {
    add(span) {
      if (waiting.length >= MAX_WAITING) return onResult('dropped', 1, 'too many spans')
      waiting.push(span)
      if (waiting.length === MAX_PER_REQUEST) void send()
    },
    async close() {
      clearInterval(timer)
      await sending
      await send()
    },
  }
}

function tracesOf(spans: EndedSpan[], resource: Attributes) {
  const scopeSpans = [{ scope: { name: 'docent' }, spans: spans.map(toJson) }]
  return { resourceSpans: [{ resource: { attributes: toAttributes(resource) }, scopeSpans }] }
}

function toJson({ traceId, id, parentId, name, kind, startedAt, endedAt, attributes, failure }: EndedSpan) {
  return {
    traceId,
    spanId: id,
    ...(parentId ? { parentSpanId: parentId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: toAttributes(attributes),
    status: failure === null ? {} : { code: FAILED, message: failure },
  }
}

function toAttributes(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** A string, because a double is exact only to the microsecond. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
