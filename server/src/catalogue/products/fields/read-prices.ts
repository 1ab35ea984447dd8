// Reads a product's regular price, and its sale price while the sale lasts.

import type { Remarks } from '../remarks.ts'
import type { CollectedFields } from './collect-fields.ts'
import { currencyCode } from './currencies.ts'
import { type ParsedPrice, parsePrice } from './parse-price.ts'
import { type Offer, readOffer } from './read-offers.ts'

const LONGEST_DATES = 100

export interface Prices {
  price: number | null
  salePrice: number | null
  currency: string | null
  offer: Offer
}

export function readPrices(fields: CollectedFields, remarks: Remarks, inherited: string | null, now: number): Prices {
  const offers = fields.all('price').map((value) => readOffer(value))
  const offer = offers.find(({ price }) => price !== undefined) ?? offers[0] ?? {}
  const own = currencyCode(fields.first('currency') ?? offer.currency) ?? inherited
  const read = (name: string, value: unknown) => amountOf(name, parsePrice(value, own), remarks)

  const price = read('price', offer.price)
  const regular = read('regular price', fields.first('regularPrice') ?? offer.regularPrice)
  const sale = read('sale price', fields.first('salePrice') ?? offer.salePrice)
  const currency = price?.currency ?? regular?.currency ?? sale?.currency ?? own
  const usual = regular && (!price || regular.amount > price.amount || sale) ? regular : price
  const lowerPrice = sale ?? (usual === regular ? price : null)
  const lowered =
    lowerPrice && usual && lowerPrice.amount < usual.amount && isOn(fields.first('saleDates'), now) ? lowerPrice : null
  return { price: (usual ?? lowerPrice)?.amount ?? null, salePrice: lowered?.amount ?? null, currency, offer }
}

function amountOf(name: string, read: ParsedPrice, remarks: Remarks) {
  if (typeof read === 'object') return read
  if (read === 'unreadable') remarks.refuse('invalid_price', `The ${name} could not be read.`)
  if (read === 'words') remarks.warn('price_without_number', `The ${name} has no number and was ignored.`)
  return null
}

/** Google's "start/end"; an unreadable date does not end a sale. */
function isOn(dates: unknown, now: number): boolean {
  if (typeof dates !== 'string' || dates.length > LONGEST_DATES) return true
  const [start = Number.NaN, end = Number.NaN] = dates.split('/').map((date) => Date.parse(date.trim()))
  return !(now < start) && !(now > end)
}
