// Makes a valid request invalid in one of the ways that occur in practice.

import type { CallOptions } from '../../../server/test/harness/call.ts'
import { brokenBodies, hostileStrings } from '../../../server/test/harness/samples/bad-input.ts'
import { hostileUrls, unsupportedUrls } from '../../../server/test/harness/samples/hostile-urls.ts'
import type { Random } from './random.ts'

type Json = Record<string, unknown> | unknown[]

const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
const oddValues: unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324],
  ...['', ' ', '0', 'true', 'null', [], {}, [null], [[]], { '': null }, { $ne: null }, { toString: 1 }, deep],
  ...['x'.repeat(201), 'x'.repeat(2049), 'x'.repeat(100_001), '\u0000', '\ud800', '2026-13-45T99:99:99Z'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00Z', '-1', '1e3', '0x10'],
]
const oddNames = ['__proto__', 'constructor', 'toString', '', '\u0000', 'id', 'workspace_id', 'bot_id', 'x'.repeat(300)]
const contentTypes = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', '*/*'],
  ...['application/json; charset=utf-16', 'application/json;', 'application/x-ndjson', 'text/csv', 'image/png'],
  ...['multipart/form-data; boundary=x', 'multipart/form-data; boundary=', 'application/json, text/plain'],
]
const accepts = ['', '*/*', 'text/html', 'text/event-stream', 'application/json;q=0', 'text/csv', ';;', 'x'.repeat(500)]

export function mutate(request: CallOptions, random: Random): CallOptions {
  const odd = () =>
    random.pick([oddValues, hostileStrings, [...hostileUrls, ...unsupportedUrls]].map((all) => random.pick(all)))
  const oddText = () => asText(odd())
  const ways: ((request: CallOptions) => CallOptions)[] = [
    ({ query = {}, ...rest }) => ({ ...rest, query: { ...query, [nameOf(query)]: oddText().slice(0, 3000) } }),
    ({ params = {}, ...rest }) => ({ ...rest, params: { ...params, [nameOf(params)]: oddText().slice(0, 3000) } }),
    ({ headers = {}, ...rest }) => ({ ...rest, headers: { ...headers, ...oddHeader() } }),
  ]
  if (request.body !== undefined)
    ways.push(
      ...[changeValue, changeValue, changeValue, removeValue, addValue],
      (options) => ({ ...options, raw: random.pick(brokenBodies)[1] }),
      (options) => ({ ...options, raw: cut(JSON.stringify(options.body)) }),
      (options) => ({ ...options, raw: hugeNumbers(JSON.stringify(options.body)) }),
      (options) => ({ ...options, body: odd() }),
    )
  else ways.push((options) => ({ ...options, body: odd() }))
  return random.pick(ways)(request)

  function nameOf(record: object): string {
    const names = Object.keys(record)
    return names.length > 0 && random.chance(0.9) ? random.pick(names) : random.pick(oddNames.filter(Boolean))
  }

  function oddHeader(): Record<string, string> {
    return random.pick([
      () => ({ 'content-type': random.pick(contentTypes) }),
      () => ({ accept: random.pick(accepts) }),
      () => ({ 'x-long': 'x'.repeat(random.pick([1000, 8000, 20_000])) }),
      () => ({ 'idempotency-key': oddText().slice(0, 2000) }),
      () => ({ 'content-encoding': random.pick(['gzip', 'br', 'identity', 'x']) }),
      () => ({ origin: oddText().slice(0, 2000) }),
      () => ({ 'accept-language': oddText().slice(0, 2000) }),
      () => ({ 'user-agent': oddText().slice(0, 2000) }),
      () => ({ 'x-request-id': oddText().slice(0, 2000) }),
      () => ({ 'x-forwarded-for': oddText().slice(0, 2000) }),
    ])()
  }

  function changeValue(options: CallOptions): CallOptions {
    return changed(options, (holder, key) => {
      ;(holder as Record<string, unknown>)[key] = odd()
    })
  }

  function removeValue(options: CallOptions): CallOptions {
    return changed(options, (holder, key) => {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
    })
  }

  function addValue(options: CallOptions): CallOptions {
    return changed(options, (holder) => {
      if (Array.isArray(holder)) holder.push(...Array.from({ length: random.pick([1, 1000]) }, () => holder[0] ?? null))
      else Object.defineProperty(holder, random.pick(oddNames), { value: odd(), enumerable: true, configurable: true })
    })
  }

  function changed(options: CallOptions, change: (holder: Json, key: string) => void): CallOptions {
    const body = structuredClone(options.body)
    const places = placesOf(body)
    if (places.length === 0) return { ...options, body: odd() }
    change(...random.pick(places))
    return { ...options, body }
  }

  function cut(text = ''): string {
    return text.slice(0, random.below(text.length + 1))
  }

  function hugeNumbers(text = ''): string {
    return text.replace(/-?\d+(\.\d+)?/g, random.pick(['1e999', '9'.repeat(400), '-1e-999', '0.1e400']))
  }
}

/** Everything in a value that can be changed: what holds it, and its name there. */
function placesOf(value: unknown): [holder: Json, key: string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Json
  return Object.entries(holder).flatMap(([key, inner]) => [[holder, key] as [Json, string], ...placesOf(inner)])
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value))
}
