// A readable attribute: `waterproof_mm: 20000` becomes "Waterproof: 20,000 mm".
import type { ProductSentences } from '../../../language/schema/product-data.ts'
import { localeOf, type ProductTextOptions } from './product-text.ts'

const unitInKey = /_(mm|cm|m|g|kg|l|ml|c|w|inches|years|g_m2)$/
const unitNames: Record<string, string> = { c: '°C', w: 'W', g_m2: 'g/m²' }
const plainNumber = /^-?\d+(?:\.\d+)?$/
const numbersAlone = /^[-\d.,\s/×x–]*\d$/

export interface AttributeText {
  label: string
  text: string
}

export function attributeText(
  key: string,
  value: string | string[],
  { sentences, language }: ProductTextOptions,
): AttributeText {
  const text = valueText(value, sentences)
  // "Fits in a 40 l pack" already has its unit, and "ships_in_m: yes" has none.
  const [ending, unit = ''] = (/\d/.test(text) && unitInKey.exec(key)) || ['']
  const label = key
    .slice(0, key.length - ending.length)
    .replaceAll('_', ' ')
    .trim()
  const amount = plainNumber.test(text) && unit ? Number(text).toLocaleString(localeOf(language)) : text
  return {
    label: label.charAt(0).toUpperCase() + label.slice(1),
    text: unit && numbersAlone.test(text) ? `${amount} ${unitNames[unit] ?? unit}` : text,
  }
}

function valueText(value: string | string[], say: ProductSentences): string {
  const values = Array.isArray(value) ? value : value.split(/\s*[|\n]\s*/).filter(Boolean)
  const text = values.join(', ')
  if (/^(?:true|yes)$/i.test(text)) return say.yes
  return /^(?:false|no)$/i.test(text) ? say.no : text
}
