// Reads attributes of any shape as names with texts: objects, or the lists of Shopify, WooCommerce and
// schema.org.

import type { ProductAttributes } from '../../answers/types.ts'
import type { Remarks } from '../remarks.ts'
import { ignoredFields } from './alias-table.ts'
import { isItem } from './collect-fields.ts'

const MAX_ATTRIBUTES = 100
const MAX_VALUES = 50
const LONGEST_NAME = 100
const LONGEST_VALUE = 1000

export function createAttributeReader(remarks: Remarks) {
  const attributes: ProductAttributes = {}
  let count = 0

  function put(name: string, value: string | string[]) {
    const key = name.trim().slice(0, LONGEST_NAME).toWellFormed()
    // Assigning `__proto__` would set the prototype.
    if (key === '' || key === '__proto__' || value.length === 0) return
    if (Object.hasOwn(attributes, key)) return
    if (count >= MAX_ATTRIBUTES) {
      remarks.warn('attributes_left_out', `Only the first ${MAX_ATTRIBUTES} attributes are kept.`)
      return
    }
    attributes[key] = value
    count++
  }

  /** Accepts text, or a flat object whose names follow its own. Deeper values are ignored. */
  function add(name: string, value: unknown) {
    const texts = textsOf(value)
    if (texts !== null) return put(name, texts)
    if (!isItem(value)) return
    const start = name.trim().slice(0, LONGEST_NAME)
    for (const [inner, part] of Object.entries(value).slice(0, MAX_ATTRIBUTES)) {
      const text = textsOf(part)
      if (text !== null) put(`${start} ${inner}`, text)
    }
  }

  /** A field with attributes: `{ colour: "red" }` or `[{ name: "Colour", value: "red" }]`. */
  function addAll(value: unknown) {
    if (isItem(value)) for (const [name, part] of Object.entries(value)) if (!ignoredFields.has(name)) add(name, part)
    if (!Array.isArray(value)) return
    for (const part of value.filter(isItem)) {
      const name = part.name ?? part.key ?? part.attribute_name ?? part.attributeName ?? part.attribute_code
      const given = part.value ?? part.options ?? part.values ?? part.option ?? part.terms ?? part.attribute_value
      const texts = textsOf(given ?? part.attributeValue)
      if (typeof name === 'string' && texts !== null) put(name, withUnit(texts, part.unitText))
    }
  }

  return { attributes, add, addAll }
}

export function textsOf(value: unknown): string | string[] | null {
  const text = textOf(value)
  if (text !== null) return text
  if (!Array.isArray(value)) return null
  const texts = value.slice(0, MAX_VALUES).map((part) => textOf(part) ?? nameOf(part))
  const kept = [...new Set(texts.filter((part) => part !== null && part !== ''))] as string[]
  return kept.length === 1 ? (kept[0] ?? null) : kept.length > 0 ? kept : null
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1).toWellFormed()}…` : text
}

/** The name of an object such as a category, brand, tag or term. */
export function nameOf(value: unknown): string | null {
  if (!isItem(value)) return null
  return textOf(value.name ?? value.title ?? value.label ?? value.value)
}

function withUnit(texts: string | string[], unit: unknown): string | string[] {
  return typeof texts === 'string' && typeof unit === 'string' ? `${texts} ${textOf(unit)}` : texts
}
