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
