// Schema parts shared by several subjects.
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from './type.ts'

export function OneOf<const Values extends readonly string[]>(values: Values, options: { description?: string } = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** Null counts as absent. The server removes it, so handlers never see it. */
export function NullIsAbsent<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T>>(Nullable(schema)))
}

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })

export const HttpUrl = Type.String({ minLength: 8, maxLength: 2048, pattern: '^https?://[^\\s]+$', format: 'uri' })

export const EmailAddress = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@<>",;]+@[^\\s@<>",;]+\\.[^\\s@<>",;.]+$',
  examples: ['support@shop.example'],
})

/** At least one visible character. NUL is never stored, so it does not count. */
export const NOT_BLANK = '[^\\s\\u0000]'

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: NOT_BLANK })

/** ISO 4217. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })

/** A BCP 47 primary language: "en", "de", "zh". */
export const Language = Type.String({ pattern: '^[a-z]{2,3}$', examples: ['en'] })

export function Page<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page; null on the last one.' })),
  })
}

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 5000 })),
})

/** A list that can be searched and sorted; a minus before an order reverses it. */
export function ListQuery<const Orders extends readonly string[]>(
  orders: Orders,
  { found, sort }: { found: string; sort: Orders[number] | `-${Orders[number]}` },
) {
  const all = orders.flatMap((order) => [order, `-${order}`] as const) as (Orders[number] | `-${Orders[number]}`)[]
  return Type.Object({
    ...PageQuery.properties,
    q: Type.Optional(Type.String({ maxLength: 200, description: `Searches ${found}.` })),
    sort: Type.Optional(OneOf(all, { description: `A leading minus means descending. Default: ${sort}.` })),
  })
}

export function Params<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties)
}

export const Id = Type.String({ minLength: 1, maxLength: 256 })

export type PageOf<T> = { items: T[]; next_cursor: string | null }
