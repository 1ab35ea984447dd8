// The measure a comparison is about, such as "weight: 1,150 g" for the lightest product.
import { measuresOf } from '../../../language/measures.ts'
import type { Comparative } from '../question/parse-measure-ranges.ts'
import type { ShopProduct } from '../types.ts'
import { attributeText } from './attribute-text.ts'
import type { ProductTextOptions } from './product-text.ts'

export function comparedMeasure(
  product: ShopProduct,
  { dimension, sort }: Pick<Comparative, 'dimension' | 'sort'>,
  textOptions: ProductTextOptions,
): { value: number; text: string } | undefined {
  const sign = sort === 'measure_up' ? 1 : -1
  const [first] = measuresOf(product)
    .filter((measure) => measure.dimension === dimension && measure.aspect !== 'other')
    .sort((a, b) => sign * (a.value - b.value))
  if (!first) return undefined
  const { label, text } = attributeText(first.attribute ?? '', first.text, textOptions)
  return { value: first.value, text: label ? `${label.toLowerCase()}: ${text}` : text }
}
