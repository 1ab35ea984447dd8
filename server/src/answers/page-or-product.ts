// Decides whether a message is answered from the pages or from the catalogue.
import { policy } from './policy.ts'
import type { BotVoice, Hit, Passage, ProductAnswer } from './types.ts'

interface Choice {
  product: ProductAnswer | undefined
  pages: { confidence: number; coverage: number }
  thresholds: BotVoice['thresholds']
}

/** `pages first`: the product answer is given if the pages have none. */
export function chooseSource({ product, pages, thresholds }: Choice): 'pages' | 'product' | 'pages first' {
  if (!product) return 'pages'
  const { answered, confidence } = product.answer
  if (answered) {
    // To "How do I wash a jacket?", a hedged list of jackets is no answer.
    const isList = prefersPages(product) && product.signals?.about === 0
    if (confidence < (isList ? thresholds.answer : thresholds.suggest)) return 'pages'
    const enough = product.signals?.policy ? thresholds.suggest : thresholds.answer
    const isForPages = prefersPages(product) && pages.confidence >= enough
    return confidence > pages.confidence && !isForPages ? 'product' : 'pages first'
  }
  // "Do you sell bananas?": a page about selling something else is no answer.
  const isElsewhere = pages.confidence < thresholds.answer && pages.coverage < policy.sharedContent
  return isElsewhere ? 'product' : 'pages first'
}

/** Whether the pages need not be searched. */
export function isCertainProduct(product: ProductAnswer): boolean {
  const { answered, confidence } = product.answer
  return answered && confidence >= policy.certainProduct && !prefersPages(product)
}

/** Policies, instructions and owned products are better answered by pages. */
function prefersPages({ signals }: ProductAnswer): boolean {
  return signals !== undefined && signals.policy + signals.howTo + signals.owned > 0
}

/** The page of the best hit, if it has most of the question's words and is not too unlikely. */
export function closestPage(
  [first]: readonly Hit[],
  confidence: number,
  { thresholds }: BotVoice,
): Passage | undefined {
  const isRelated =
    confidence >= thresholds.suggest * policy.relatedConfidence &&
    (first?.signals.coverage ?? 0) >= policy.sharedContent
  return isRelated ? first?.passage : undefined
}
