// Dialogues with two invented shops in lab/evaluation/sets/shop-dialogues, written for this purpose: the demo shop, and one
// whose catalogue is beside them. A dialogue of one turn is a question on its own.
import { readFileSync } from 'node:fs'
import { readDemoPages } from '../../server/src/demo/shop.ts'
import type { EvalEntry, EvalQuery, EvalSet } from './eval-set.ts'

interface Dialogue {
  id: string
  shop: 'demo' | 'marrowby'
  turns: (Pick<EvalQuery, 'text' | 'answer_lacks' | 'kind' | 'polarity'> & {
    /** One of these is in a right answer; none: the question is to be declined. */
    answer: string[]
  })[]
}

const folder = new URL('./sets/shop-dialogues/', import.meta.url)
const read = (url: URL) => readFileSync(url, 'utf8')

export function readShopSets(): EvalSet[] {
  const dialogues = read(new URL('dialogues.jsonl', folder))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Dialogue)
  const marrowby = JSON.parse(read(new URL('marrowby.json', folder)))
  const demo = {
    products: JSON.parse(read(new URL('../../demo/products.json', import.meta.url))),
    pages: readDemoPages()
      .filter(({ language }) => language === 'en')
      .map(({ slug, title, language, content }) => ({ _id: slug, title, text: '', markdown: content, language })),
  }
  return [toSet('demo', demo), toSet('marrowby', marrowby)]

  function toSet(shop: Dialogue['shop'], { products, pages }: { products: object[]; pages: EvalEntry[] }): EvalSet {
    const queries = dialogues
      .filter((dialogue) => dialogue.shop === shop)
      .flatMap(({ id, turns }) =>
        turns.map(({ answer, ...turn }, at) => ({
          ...turn,
          _id: `${id}.${at}`,
          earlier: turns.slice(0, at).map(({ text }) => text),
          answerable: answer.length > 0,
          answer_contains: answer,
        })),
      )
    return { name: `shop_${shop}`, corpus: pages, products, queries, qrels: new Map() }
  }
}
