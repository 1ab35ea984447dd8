// Reads a product's variants, each a small product: size, colour, price and availability.

import type { Availability } from '../../../answers/types.ts'
import type { ProductVariant } from '../product.ts'
import { createRemarks, type Remarks } from '../remarks.ts'
import { collectFields, type Item, isItem } from './collect-fields.ts'
import { availabilityOfStock, parseAvailability } from './parse-availability.ts'
import { createAttributeReader, nameOf, textOf } from './read-attributes.ts'
import { readPrices } from './read-prices.ts'
import { listOf, readUrl } from './read-urls.ts'

const MAX_VARIANTS = 500
const LONGEST_TITLE = 300
const OPTION = /^option_?([123])$/

export interface ParsedVariant extends ProductVariant {
  currency: string | null
  gtin: string | null
}

interface Parent {
  id: string
  title: string
  currency: string | null
  siteUrl: string | null
  now: number
}

export function readVariants(value: unknown, options: unknown, parent: Parent, remarks: Remarks): ParsedVariant[] {
  const items = listOf(value).filter(isItem)
  if (items.length > MAX_VARIANTS) {
    remarks.warn('variants_left_out', `Only the first ${MAX_VARIANTS} variants are kept.`)
  }
  const names = listOf(options).map(nameOf)
  return items.slice(0, MAX_VARIANTS).map((item, index) => readVariant(item, index, names, parent, remarks))
}

function readVariant(
  item: Item,
  index: number,
  optionNames: (string | null)[],
  parent: Parent,
  remarks: Remarks,
): ParsedVariant {
  const fields = collectFields(item)
  // An unreadable price drops the variant's price, not the whole product.
  const own = createRemarks()
  const { price, salePrice, currency, offer } = readPrices(fields, own, parent.currency, parent.now)
  if (own.refusal) remarks.warn('price_without_number', 'The price of a variant could not be read and was ignored.')
  const { attributes, add, addAll } = createAttributeReader(remarks)
  for (const [name, part] of fields.leftOver) {
    const option = OPTION.exec(name)?.[1]
    add(option ? (optionNames[Number(option) - 1] ?? name) : name, part)
  }
  for (const part of [...fields.all('attributes'), ...fields.all('options')]) addAll(part)
  addAll(item.selectedOptions)
  const [sku, given] = [textOf(fields.first('sku')), textOf(fields.first('title'))]
  const title = given && given !== 'Default Title' && given !== parent.title ? given.slice(0, LONGEST_TITLE) : ''
  return {
    id: textOf(fields.first('id')) || sku || `${parent.id}-${index + 1}`,
    title: title || Object.values(attributes).flat().join(' / ').slice(0, LONGEST_TITLE),
    price,
    salePrice,
    availability: availabilityOf(fields.first('availability') ?? offer.availability, fields.first('stock'), item),
    attributes,
    sku,
    url: readUrl(fields.first('url') ?? offer.url, parent.siteUrl, remarks),
    imageUrl: readUrl(fields.first('imageUrl'), parent.siteUrl, remarks),
    currency,
    gtin: textOf(fields.first('gtin')),
  }
}

function availabilityOf(stated: unknown, stock: unknown, item: Item): Availability | null {
  const read = parseAvailability(stated)
  if (read === 'discontinued') return 'out_of_stock'
  if (read !== null && read !== 'unreadable') return read
  // Shopify sells products without inventory tracking, and below zero if the shop allows it.
  if ('inventory_management' in item && item.inventory_management === null) return 'in_stock'
  const counted = availabilityOfStock(stock)
  return counted === 'out_of_stock' && item.inventory_policy === 'continue' ? 'backorder' : counted
}
