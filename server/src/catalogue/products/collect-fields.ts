// Collects an item's fields under our names, by the alias table; other fields are passed on as they are.
import { aliasTable, type Field, IGNORED_FIELDS } from './alias-table.ts'

export type Item = Record<string, unknown>

export interface CollectedFields {
  /** All values of a field, best name first, without empty ones. */
  all(field: Field): unknown[]
  first(field: Field): unknown
  /** How many values these fields have together. */
  count(...fields: Field[]): number
  leftOver: [name: string, value: unknown][]
}

interface FieldAlias {
  field: Field
  rank: number
}

interface RankedValue {
  rank: number
  value: unknown
}

const fieldAliases = new Map<string, FieldAlias[]>()
for (const [field, columns] of Object.entries(aliasTable) as [Field, readonly (readonly string[])[]][]) {
  for (const [rank, name] of [...new Set(columns.flat())].entries()) {
    fieldAliases.set(name, [...(fieldAliases.get(name) ?? []), { field, rank }])
  }
}

const SPELLINGS_KEPT = 5000
// More than the table has names for any field; beyond that they are spelling variants.
const MAX_VALUES = 20
const LONGEST_NAME = 200
const spellings = new Map<string, string>()

export function collectFields(item: Item): CollectedFields {
  const fieldValues: Partial<Record<Field, RankedValue[]>> = {}
  const leftOver: [string, unknown][] = []
  for (const key of Object.keys(item)) {
    const value = item[key]
    if (value === null || value === undefined || value === '') continue
    const name = fieldName(key)
    const fits = fieldAliases.get(name)
    if (fits) for (const { field, rank } of fits) insert(fieldValues, field, { rank, value })
    else if (!IGNORED_FIELDS.has(name)) leftOver.push([name, value])
  }
  return {
    all: (field) => fieldValues[field]?.map(({ value }) => value) ?? [],
    first: (field) => fieldValues[field]?.[0]?.value,
    count: (...fields) => fields.reduce((sum, field) => sum + (fieldValues[field]?.length ?? 0), 0),
    leftOver,
  }
}

/** Keeps the best name first. */
function insert(valuesByField: Partial<Record<Field, RankedValue[]>>, field: Field, value: RankedValue) {
  const list = valuesByField[field]
  if (!list) valuesByField[field] = [value]
  else {
    list.splice(list.filter(({ rank }) => rank <= value.rank).length, 0, value)
    if (list.length > MAX_VALUES) list.pop()
  }
}

export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** "g:imageLink" → "image_link". */
function fieldName(key: string): string {
  let name = spellings.get(key)
  if (name === undefined) {
    name = key
      .trim()
      .slice(0, LONGEST_NAME)
      .replace(/^g:/, '')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[\s-]+/g, '_')
      .toLowerCase()
    // "productID" and "gtin13" are one word each, "priceRangeV2" is three.
    if (spellings.size < SPELLINGS_KEPT && key.length < 100) spellings.set(key, name)
  }
  return name
}
