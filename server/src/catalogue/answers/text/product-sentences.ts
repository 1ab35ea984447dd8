import { languageData, languageOrEnglish } from '../../../language/languages.ts'
import type { ProductSentences } from '../../../language/schema/product-data.ts'

export function productSentences(language: string): ProductSentences {
  return languageData[languageOrEnglish(language)].products.sentences
}

export function fillTemplate(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
