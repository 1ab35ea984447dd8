// The answer to a question about one product: a variant, its price, its stock, its rating, or a fact from its data.
import { stem } from '../../language/stem.ts'
import { stopWords } from '../../language/stop-words.ts'
import { words } from '../../language/words.ts'
import { fold } from '../understand/fold.ts'
import {
  formatPrice,
  type Manner,
  priceText,
  productLine,
  ratingText,
  shorten,
  stockOf,
  stockText,
  valuesOf,
} from './describe-product.ts'
import { findFacts } from './find-facts.ts'
import { fill } from './product-sentences.ts'
import type { FacetWish, ProductQuestion } from './read-product-question.ts'
import { chaff, colourFamilies } from './shop-words.ts'
import type { ShopProduct, ShopVariant } from './types.ts'

export interface AboutProduct {
  text: string
  known: boolean
  /** 0 to 1: how well what is said fits what was asked. */
  fit: number
}

const LEAST_FIT = 0.5
const SECOND_FACT = 0.85
// These stand around a wish, and yet ask for something when there is a product to ask about.
const factWords = new Set(
  'made fit fits long size sizes colour colours color colors brand made per accessories'.split(' '),
)

export function aboutProduct(
  product: ShopProduct,
  question: ProductQuestion,
  language: string,
  manner: Manner,
): AboutProduct {
  const { says, facets } = question
  const { say } = manner
  const variantWishes = facets.filter(({ kind }) => kind === 'size' || kind === 'colour')
  if (variantWishes.length > 0) return aboutVariant(product, variantWishes, manner)
  if (says.asksSizes) return listed(product, 'size', manner)
  if (says.asksColours) return listed(product, 'colour', manner)
  const asked = askedStems(product, question, language)
  if (says.asksRating) {
    const rating = ratingText(product, manner)
    return rating ? { text: `${product.title}: ${rating}.`, known: true, fit: 1 } : unknown(product, manner)
  }
  if (asked.length > 0) {
    const facts = findFacts(product, asked, question.text, language, say)
    const [best, second] = facts
    if (best && best.fit >= LEAST_FIT) {
      const also = second && second.fit >= best.fit * SECOND_FACT ? [best, second] : [best]
      const text = also.map(({ label, text: said }) => (label ? `${label}: ${said}` : said)).join('\n')
      return { text: `${product.title}: ${text}`, known: true, fit: best.fit }
    }
    if (!says.asksPrice && !says.asksAvailability && !says.shopping) return unknown(product, manner)
    if (best === undefined && !says.shopping) return unknown(product, manner)
  }
  if (says.asksPrice) {
    const price = priceText(product, manner)
    const stock = stockOf(product)
    if (!price) return unknown(product, manner)
    return {
      text: `${product.title}: ${[price, stock && stockText(stock, manner)].filter(Boolean).join(', ')}.`,
      known: true,
      fit: 1,
    }
  }
  if (says.asksAvailability) {
    const stock = stockOf(product)
    if (!stock) return unknown(product, manner)
    return { text: productLine(product, manner).slice(2), known: true, fit: 1 }
  }
  return { text: overview(product, manner), known: true, fit: asked.length > 0 ? 0.6 : 0.9 }
}

function overview(product: ShopProduct, manner: Manner): string {
  const opening = /^[\s\S]{20,300}?[.!?](?=\s|$)/.exec(product.description)?.[0]
  return [productLine(product, manner).slice(2), opening, ratingText(product, manner)].filter(Boolean).join('\n')
}

function unknown(product: ShopProduct, manner: Manner): AboutProduct {
  const text = `${fill(manner.say.unknownFact, { title: product.title })}\n${productLine(product, manner)}`
  return { text, known: false, fit: 0 }
}

/** What is asked of the product, beyond its name and what is said around it. */
function askedStems({ title, brand }: ShopProduct, { text, terms, says }: ProductQuestion, language: string): string[] {
  const stop = stopWords(language)
  const name = new Set(words(`${title} ${brand ?? ''}`, language).map((word) => stem(word, language)))
  // Misspelt words of the name are of the name, too.
  const naming = new Set(
    terms.filter(({ anyOf }) => anyOf.some(({ key }) => name.has(key))).map(({ surface }) => surface),
  )
  const asked = words(text, language).filter(
    (word) => !stop.has(word) && !naming.has(word) && (!chaff.has(word) || factWords.has(word)),
  )
  if (says.asksContents) asked.push('includes')
  return [...new Set(asked.map((word) => stem(word, language)))].filter((one) => !name.has(one) && one.length > 1)
}

function aboutVariant(product: ShopProduct, wishes: FacetWish[], manner: Manner): AboutProduct {
  const { say } = manner
  const { title } = product
  const variant = wishes
    .map(({ value, kind }) => (kind === 'size' ? fill(say.size, { value: value.toUpperCase() }) : value))
    .join(', ')
  const matching = matchingVariants(product, wishes)
  const kinds = [...new Set(wishes.map(({ kind }) => kind))].filter((kind) => kind === 'size' || kind === 'colour')
  const offered = kinds.flatMap((kind) => valuesOf(product, kind))
  if (offered.length === 0) return unknown(product, manner)
  const offer = fill(say.offeredIn, { values: shorten(offered) })
  if (matching === null) {
    return { text: `${fill(say.unknownVariant, { title, variant })} ${offer}`, known: true, fit: 1 }
  }
  const state = stockOf(product, matching.length > 0 ? matching : product.variants)
  const sentence = state === 'out_of_stock' ? say.notInVariant : say.yesInVariant
  const price = variantPrice(matching) ?? product.salePrice ?? product.price
  const priced = price === null ? '' : ` ${say.price}: ${formatPrice(price, product.currency, manner)}.`
  const said = fill(sentence, { title, variant, availability: stockText(state, manner) })
  return { text: `${said}${priced}`, known: true, fit: 1 }
}

function variantPrice([first]: ShopVariant[]): number | null {
  return first ? (first.salePrice ?? first.price) : null
}

/** The variants that meet all wishes; empty when only the product as a whole does; null when nothing does. */
export function matchingVariants(product: ShopProduct, wishes: FacetWish[]): ShopVariant[] | null {
  const meets = (attributes: ShopProduct['attributes'], { kind, value }: FacetWish) => {
    const bare = { ...product, attributes, variants: [] }
    return valuesOf(bare, kind === 'size' ? 'size' : 'colour').some((one) => isSame(one, value, kind))
  }
  const matching = product.variants.filter(({ attributes }) =>
    wishes.every((wish) => meets(attributes, wish) || wholeMeets(wish)),
  )
  function wholeMeets(wish: FacetWish) {
    const named = product.variants.some(
      ({ attributes }) =>
        valuesOf({ ...product, attributes, variants: [] }, wish.kind === 'size' ? 'size' : 'colour').length > 0,
    )
    return !named && meets(product.attributes, wish)
  }
  if (matching.length > 0) return matching
  return product.variants.length === 0 && wishes.every((wish) => meets(product.attributes, wish)) ? [] : null
}

function isSame(offered: string, asked: string, kind: FacetWish['kind']): boolean {
  const [own, wanted] = [fold(offered), fold(asked)]
  if (own === wanted) return true
  if (kind === 'size') return own === ({ small: 's', medium: 'm', large: 'l' }[wanted] ?? wanted)
  const family = colourFamilies.find((names) => names.includes(wanted)) ?? [wanted]
  return own.split(' ').some((word) => family.includes(word))
}

function listed(product: ShopProduct, kind: 'size' | 'colour', manner: Manner): AboutProduct {
  const values = valuesOf(product, kind)
  if (values.length === 0) return unknown(product, manner)
  const { say } = manner
  const inStock = valuesOf(product, kind, true)
  const text = `${product.title}: ${fill(kind === 'size' ? say.sizes : say.colours, { values: values.join(', ') })}.`
  const missing = values.filter((value) => !inStock.includes(value))
  return {
    text: missing.length > 0 ? `${text} ${say.availability.out_of_stock}: ${missing.join(', ')}.` : text,
    known: true,
    fit: 1,
  }
}
