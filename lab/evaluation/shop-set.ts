// A shop with its pages, items and questions: Magento's sample shop from its folder, or an invented one from
// lab/evaluation/sets/shops. Also scores answers to its questions.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDemoPages } from '../../server/src/demo/shop.ts'
import { mean } from './eval-metrics.ts'
import { freshQuestions, type ShopItem, type ShopQuestion, shopQuestions } from './shop-question-list.ts'

export interface Shop {
  pages: { id: string; title: string; url: string; html?: string; markdown?: string }[]
  items: object[]
  questions: ShopQuestion[]
  /** Whether an item with this title fits. */
  fits: (title: string, question: ShopQuestion) => boolean
}

export interface ShopAnswer {
  response: string
  sources: { title: string; url: string }[]
  confidence: number
  answered: boolean
}

export function readShop(path: string, fresh = false): Shop {
  return path.endsWith('.json') ? readInvented(path) : readLuma(path, fresh)
}

/** Null when the answer is correct. */
export function fault(answer: ShopAnswer, question: ShopQuestion, { fits, pages }: Shop): string | null {
  const isPage = ({ url }: { url: string }) => pages.some((page) => page.url === url.replace(/#.*/, ''))
  const fromPages = answer.sources.filter(isPage)
  const titles = answer.sources.filter((source) => !isPage(source)).map(({ title }) => title)
  // Below 0.5 an answer is shown as a guess, among others.
  if (question.unanswered) return answer.answered && answer.confidence >= 0.5 ? 'answered' : null
  if (!answer.answered) return 'not answered'
  const lacks = question.text && !question.text.test(answer.response) ? `lacks ${question.text}` : null
  if (question.page) return fromPages.length === 0 ? 'not from a page' : lacks
  if ((fromPages.length > 0 && !question.also_page) || titles.length === 0) return 'not from products'
  if (question.first && !question.first.includes(titles[0] ?? '')) return `first is ${titles[0]}`
  for (const title of question.holds ?? []) if (!titles.includes(title)) return `lacks ${title}`
  const bad = titles.find((title) => !(question.only?.includes(title) ?? true) || !fits(title, question))
  return bad ? `${bad} does not fit` : lacks
}

function readInvented(path: string): Shop {
  const { site, pages, products, questions } = { ...demoShop, ...JSON.parse(readFileSync(path, 'utf8')) }
  return {
    pages: pages.map((page: { url: string }) => ({ ...page, url: site + page.url })),
    items: products.map((product: { link: string }) => ({ ...product, link: site + product.link })),
    questions: questions.map((question: { text?: string }) => ({
      ...question,
      ...(question.text ? { text: new RegExp(question.text) } : {}),
    })),
    fits: () => true,
  }
}

/** For questions without a shop. */
const demoShop = {
  site: 'https://demo.example',
  pages: readDemoPages().map(({ slug, title, markdown }) => ({
    id: slug.replaceAll('/', '-'),
    title,
    url: `/demo/${slug}`,
    markdown,
  })),
  products: JSON.parse(readFileSync(new URL('../../demo/products.json', import.meta.url), 'utf8')),
}

function readLuma(folder: string, fresh: boolean): Shop {
  const items = withRatings(folder, JSON.parse(readFileSync(join(folder, 'products.json'), 'utf8')) as ShopItem[])
  // Variants are items of their own, named after their product.
  const byTitle = Map.groupBy(items, ({ name }) => {
    const title = name.replaceAll('&trade;', '™').replaceAll('&reg;', '®').replace(/\s+/g, ' ').trim()
    return title.replace(/-(?:XS|S|M|L|XL|\d\d)-\w+$/, '')
  })
  const pages = join(folder, 'pages')
  return {
    pages: readdirSync(pages).map((name) => ({
      id: name.replace('.html', ''),
      title: name.replace(/^block-|\.html$/g, '').replace(/[-_]/g, ' '),
      url: `https://luma.example/${name}`,
      html: readFileSync(join(pages, name), 'utf8'),
    })),
    items,
    questions: fresh ? freshQuestions : shopQuestions,
    fits: (title, { each }) => !each || (byTitle.get(title) ?? []).some(each),
  }
}

/** The shop stores reviews separately: adds each item's mean rating and count, as a shop would send them. */
function withRatings(folder: string, all: ShopItem[]): ShopItem[] {
  const ratings = new Map<string, number[]>()
  for (const line of readFileSync(join(folder, 'products_reviews.csv'), 'utf8').split('\n')) {
    const [sku, code, value] = line.split(',')
    if (!sku || code !== 'Rating' || !Number(value)) continue
    ratings.set(sku, [...(ratings.get(sku) ?? []), Number(value)])
  }
  return all.map((item) => {
    const itemRatings = ratings.get(item.sku)
    return itemRatings
      ? { ...item, rating: Math.round((mean(itemRatings) ?? 0) * 10) / 10, review_count: itemRatings.length }
      : item
  })
}
