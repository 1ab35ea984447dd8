// Creates spans and passes them on when they end. The parent span comes from the asynchronous context.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface EndedSpan {
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

interface Options {
  /** The share of traces to keep, 0 to 1. */
  ratio: number
  onEnd: (span: EndedSpan) => void
}

export type Tracer = ReturnType<typeof makeTracer>

export function makeTracer({ ratio, onEnd }: Options) {
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

// Traces a piece of work as a span. Without a collector it just runs the work.

export type Attributes = Record<string, string | number | boolean>

export interface Span {
  set(attributes: Attributes): void
  /** Marks the span as failed. */
  fail(reason: string): void
}

export type SpanKind = 'internal' | 'server' | 'client'

/** Runs the work as a child of the current span. */
export type Trace = <T>(name: string, attributes: Attributes, work: (span: Span) => T, kind?: SpanKind) => T

const noSpan: Span = { set() {}, fail() {} }

export const noTrace: Trace = (_name, _attributes, work) => work(noSpan)
