// Asks a real shop's bot 67 questions through the chat API and scores the answers: products by price, size, colour,
// kind, order and name, facts, follow-ups, comparisons, policies from pages, and what it cannot know.
// node bench/src/shop-questions.ts <folder of magento_luma> [--fresh] [--words] [--all]; --fresh asks others, which were
// not worked on.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBot } from './create-bot.ts'
import { calibrationError, mean } from './eval-metrics.ts'
import { freshQuestions, type ShopItem, shopQuestions } from './shop-question-list.ts'
import { spawnServer } from './spawn-server.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-shop-questions'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
})
const [shop] = positionals
if (!shop) throw new Error('Name the folder of the shop.')

const items = withRatings(JSON.parse(readFileSync(join(shop, 'products.json'), 'utf8')) as ShopItem[])
const byTitle = new Map<string, ShopItem[]>()
for (const item of items) {
  const title = item.name.replaceAll('&trade;', '™').replaceAll('&reg;', '®').replace(/\s+/g, ' ').trim()
  // Variants come as items of their own, named after their product.
  const base = title.replace(/-(?:XS|S|M|L|XL|\d\d)-\w+$/, '')
  byTitle.set(base, [...(byTitle.get(base) ?? []), item])
}

const folder = mkdtempSync(join(tmpdir(), 'docent-shop-'))
const environment = { ADMIN_TOKEN, DEMO_BOT: 'off', ...(values.words ? { EMBEDDINGS: 'off' } : {}) }
const server = spawnServer({ dataDir: folder, environment })
try {
  const baseUrl = `http://127.0.0.1:${await server.listening}`
  const { botId, key } = await createBot(baseUrl, ADMIN_TOKEN, readPages(join(shop, 'pages')))
  const { key: syncKey } = await post(
    `/api/manage/v1/bots/${botId}/sync-key`,
    {},
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  )
  const report = await post('/api/v1/chat/sync-products', items, { 'x-service-key': String(syncKey) })
  console.log(
    `synced: ${JSON.stringify({ received: report.received, created: report.created, failed: report.failed })}`,
  )

  if (!values.words) await embedded()

  const outcomes: { kind: string; right: boolean; confidence: number; answered: boolean; ms: number }[] = []
  const sessions = new Map<string, string>()
  for (const { question, kind, after, ...expected } of values.fresh ? freshQuestions : shopQuestions) {
    const session = after === undefined ? undefined : sessions.get(after)
    const started = performance.now()
    const answer = (await post(
      '/api/v1/chat',
      { bot_id: botId, message: question, ...(session ? { session_id: session } : {}) },
      { authorization: `Bearer ${key}` },
    )) as unknown as ChatAnswer
    const ms = performance.now() - started
    sessions.set(question, answer.session_id)
    const wrong = fault(answer, expected)
    outcomes.push({ kind, right: wrong === null, confidence: answer.confidence, answered: answer.answered, ms })
    if (wrong !== null || values.all) {
      console.log(
        `\n${wrong === null ? 'right' : 'WRONG'} [${kind}] ${question}${wrong === null ? '' : `  (${wrong})`}`,
      )
      console.log(`  ${answer.confidence} ${answer.response.replaceAll('\n', '\n  ')}`)
    }
  }
  console.log('')
  for (const kind of new Set(outcomes.map((one) => one.kind))) {
    const own = outcomes.filter((one) => one.kind === kind)
    console.log(`${kind.padEnd(14)} ${own.filter(({ right }) => right).length} of ${own.length}`)
  }
  const judged = outcomes.filter(({ kind }) => kind !== 'unanswerable')
  const share = mean(outcomes.map(({ right }) => Number(right))) ?? 0
  console.log(
    `all            ${outcomes.filter(({ right }) => right).length} of ${outcomes.length} (${share.toFixed(3)})`,
  )
  console.log(`calibration error of those that can be answered ${(calibrationError(judged) ?? 0).toFixed(3)}`)
  const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  console.log(`ms/question p50 ${times[times.length >> 1]?.toFixed(1)}`)

  /** Waits until the pages can be found by meaning, too. */
  async function embedded() {
    for (;;) {
      const bot = await fetch(`${baseUrl}/api/manage/v1/bots/${botId}`, {
        headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      })
      const { knowledge } = (await bot.json()) as { knowledge: { status: string } }
      if (knowledge.status === 'ready') return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  async function post(path: string, body: object, headers: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
} finally {
  await server.kill()
  rmSync(folder, { recursive: true })
}

interface ChatAnswer {
  response: string
  sources: { title: string; url: string }[]
  session_id: string
  confidence: number
  answered: boolean
}

/** What is wrong with an answer; null when nothing is. */
function fault(answer: ChatAnswer, expected: Partial<(typeof shopQuestions)[number]>): string | null {
  const titles = answer.sources.map(({ title }) => title)
  const fromPages = answer.sources.filter(({ url }) => /\.html/.test(url))
  // Below a half an answer is given as a guess, with other guesses.
  if (expected.unanswered) return answer.answered && answer.confidence >= 0.5 ? 'answered' : null
  if (!answer.answered) return 'not answered'
  if (expected.page) {
    if (fromPages.length === 0) return 'not from a page'
    return expected.text && !expected.text.test(answer.response) ? `lacks ${expected.text}` : null
  }
  if (fromPages.length > 0 || titles.length === 0) return 'not from products'
  if (expected.first && !expected.first.includes(titles[0] ?? '')) return `first is ${titles[0]}`
  for (const title of expected.holds ?? []) if (!titles.includes(title)) return `lacks ${title}`
  if (expected.text && !expected.text.test(answer.response)) return `lacks ${expected.text}`
  if (!expected.each) return null
  const bad = titles.find((title) => !(byTitle.get(title) ?? []).some((item) => expected.each?.(item)))
  return bad ? `${bad} does not fit` : null
}

function readPages(path: string) {
  return readdirSync(path).map((name) => ({
    id: name.replace('.html', ''),
    title: name.replace(/^block-|\.html$/g, '').replace(/[-_]/g, ' '),
    url: `https://luma.example/${name}`,
    html: readFileSync(join(path, name), 'utf8'),
  }))
}

/** The shop keeps its reviews apart: their mean and number go with the item, as a shop would send them. */
function withRatings(all: ShopItem[]): ShopItem[] {
  const ratings = new Map<string, number[]>()
  for (const line of readFileSync(join(shop as string, 'products_reviews.csv'), 'utf8').split('\n')) {
    const [sku, code, value] = line.split(',')
    if (!sku || code !== 'Rating' || !Number(value)) continue
    ratings.set(sku, [...(ratings.get(sku) ?? []), Number(value)])
  }
  return all.map((item) => {
    const own = ratings.get(item.sku)
    return own ? { ...item, rating: Math.round((mean(own) ?? 0) * 10) / 10, review_count: own.length } : item
  })
}
