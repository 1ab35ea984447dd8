// Asks a shop's bot questions through the chat API and scores the answers: products by price, size, colour, kind, order
// and name, measurements, facts, follow-ups, comparisons, policies from pages, and the unanswerable.
// node lab/evaluation/shop-questions.ts <folder of magento_luma, or a file of lab/evaluation/sets/shops> [--fresh] [--words] [--all]
// [--quiet]; --fresh asks held-out questions about Magento's shop.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { createBot } from '../performance/load/create-bot.ts'
import { calibrationError, mean } from './eval-metrics.ts'
import { fault, readShop, type ShopAnswer } from './shop-set.ts'

const ADMIN_TOKEN = 'bench-owner-token-of-shop-questions'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
})
const [path] = positionals
if (!path) throw new Error('Name the folder or file of the shop.')
const shop = readShop(path, values.fresh)

const folder = mkdtempSync(join(tmpdir(), 'docent-shop-'))
const environment = { ADMIN_TOKEN, DEMO_BOT: 'off', ...(values.words ? { EMBEDDINGS: 'off' } : {}) }
const server = spawnServer({ dataDir: folder, environment })
try {
  const baseUrl = `http://127.0.0.1:${await server.listening}`
  const { botId, key } = await createBot(baseUrl, ADMIN_TOKEN, shop.pages)
  const { key: syncKey } = await post(
    `/api/manage/v1/bots/${botId}/sync-key`,
    {},
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  )
  const report = await post('/api/v1/chat/sync-products', shop.items, { 'x-service-key': String(syncKey) })
  console.log(
    `synced: ${JSON.stringify({ received: report.received, created: report.created, failed: report.failed })}`,
  )

  if (!values.words) await embedded()

  const outcomes: {
    kind: string
    unanswered: boolean
    right: boolean
    confidence: number
    answered: boolean
    ms: number
  }[] = []
  const sessions = new Map<string, string>()
  for (const shopQuestion of shop.questions) {
    const { question, kind, after } = shopQuestion
    const session = after === undefined ? undefined : sessions.get(after)
    const startedAt = performance.now()
    const answer = (await post(
      '/api/v1/chat',
      { bot_id: botId, message: question, ...(session ? { session_id: session } : {}) },
      { authorization: `Bearer ${key}` },
    )) as unknown as ShopAnswer & { session_id: string }
    const ms = performance.now() - startedAt
    sessions.set(question, answer.session_id)
    const wrong = fault(answer, shopQuestion, shop)
    outcomes.push({
      kind,
      unanswered: shopQuestion.unanswered === true,
      right: wrong === null,
      confidence: answer.confidence,
      answered: answer.answered,
      ms,
    })
    if ((wrong !== null && !values.quiet) || values.all) {
      console.log(
        `\n${wrong === null ? 'right' : 'WRONG'} [${kind}] ${question}${wrong === null ? '' : `  (${wrong})`}`,
      )
      console.log(`  ${answer.confidence} ${answer.response.replaceAll('\n', '\n  ')}`)
    }
  }
  console.log('')
  for (const kind of new Set(outcomes.map((one) => one.kind))) {
    const outcomesOfKind = outcomes.filter((one) => one.kind === kind)
    console.log(`${kind.padEnd(14)} ${outcomesOfKind.filter(({ right }) => right).length} of ${outcomesOfKind.length}`)
  }
  // An answer to an unanswerable question is never right, so its confidence must be low.
  const judgedOutcomes = outcomes.map((one) => ({ ...one, right: one.right && !one.unanswered }))
  const share = mean(outcomes.map(({ right }) => Number(right))) ?? 0
  console.log(
    `all            ${outcomes.filter(({ right }) => right).length} of ${outcomes.length} (${share.toFixed(3)})`,
  )
  console.log(`calibration error ${(calibrationError(judgedOutcomes) ?? 0).toFixed(3)}`)
  const times = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  console.log(`ms/question p50 ${times[times.length >> 1]?.toFixed(1)}`)

  /** Waits for the pages' vectors. */
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
