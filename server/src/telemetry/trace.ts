// A span of a trace around some work. Without a collector it is only the work.
export type Attributes = Record<string, string | number | boolean>

export interface Span {
  set(attributes: Attributes): void
  /** What it measured did not succeed. */
  fail(reason: string): void
}

export type SpanKind = 'internal' | 'server' | 'client'

/** Runs the work as a span within the one that surrounds it. */
export type Trace = <T>(name: string, attributes: Attributes, work: (span: Span) => T, kind?: SpanKind) => T

const noSpan: Span = { set() {}, fail() {} }

export const noTrace: Trace = (_name, _attributes, work) => work(noSpan)
