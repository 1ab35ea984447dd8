// node lab/fitting/product-confidence.ts <eval folder>: fits the confidence of answers from a catalogue,
// validates it on held-out shops, and writes product-confidence-model.json.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRODUCT_SIGNAL_NAMES, type ProductSignals } from '../../server/src/answers/confidence/product-confidence.ts'
import { defaultThresholds } from '../../server/src/answers/policy.ts'
import type { Turn } from '../../server/src/answers/types.ts'
import { answerFromProducts } from '../../server/src/catalogue/answers/answer-from-products.ts'
import { absentReader, type Models } from '../../server/src/inference/types.ts'
import { readDemoSet } from '../evaluation/demo-set.ts'
import { auroc, calibrationError, mean } from '../evaluation/eval-metrics.ts'
import { startEvalModels } from '../evaluation/eval-models.ts'
import { readEvalSet } from '../evaluation/eval-set.ts'
import type { ShopQuestion } from '../evaluation/shop-question-list.ts'
import { fault, readShop, type Shop } from '../evaluation/shop-set.ts'
import { fitLogistic, predict, type Sign } from './logistic.ts'
import { seededRandom, shuffled } from './random.ts'
import { makeShopCatalogue } from './shop-catalogue.ts'

const target = new URL('../../server/src/answers/confidence/product-confidence-model.json', import.meta.url)
const RIDGE = 1
const OFF_TOPIC = 60
const signs: Partial<Record<keyof ProductSignals, Sign>> = {
  about: 0,
  criteria: 0,
  shopping: 0,
  bare: 0,
  rivals: -1,
  missedEasily: -1,
  missed: -1,
  policy: -1,
  howTo: -1,
  owned: -1,
}
const voice = {
  name: 'Shop',
  language: 'en',
  tone: 'formal' as const,
  siteUrl: 'https://shop.example',
  fallbackMessage: () => null,
  thresholds: defaultThresholds,
}
// As visitors write: with a greeting, in lower case, without a question mark.
const manners: ((question: string) => string)[] = [
  (question) => question,
  (question) => `Hi there, I have a question before I order. ${question}`,
  (question) => question.toLowerCase().replace(/\?$/, ''),
]

interface Row {
  shop: string
  question: string
  signals: ProductSignals
  right: boolean
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder that holds the evaluation sets.')
const luma = join(folder, 'magento_luma')
const inventedShop = (name: string) => new URL(`../evaluation/sets/shops/${name}.json`, import.meta.url).pathname
const demo = readShop(inventedShop('demo'))
const shops: Record<string, Shop[]> = {
  luma: [readShop(luma), readShop(luma, true)],
  halden: [readShop(inventedShop('halden'))],
  demo: [demo, { ...demo, questions: pageQuestions() }],
}
const random = seededRandom('product confidence')
const offTopic = shuffled(readEvalSet(join(folder, 'clinc150_val')).queries, random)
  .slice(0, OFF_TOPIC)
  .map(({ text }): ShopQuestion => ({ kind: 'off topic', question: text, unanswered: true }))

const models = await startEvalModels(undefined)
const rows: Row[] = []
for (const [name, parts] of Object.entries(shops)) {
  for (const shop of parts) {
    // Half without the reader, as in other languages or when it is late.
    for (const reader of [models.reader, absentReader('not wanted')]) rows.push(...(await collect(name, shop, reader)))
  }
}
await models.close()

for (const name of Object.keys(shops)) {
  const [ownRows, others] = [true, false].map((isOwn) => rows.filter(({ shop }) => (shop === name) === isOwn))
  report(`${name}, fitted on the others`, ownRows ?? [], fit(others ?? []))
}
const whole = fit(rows)
report('all, in-sample', rows, whole)
const [bias = 0, ...weights] = whole.map((value) => Math.round(value * 1000) / 1000)
const about = {
  fitted_by: 'node lab/fitting/product-confidence.ts',
  date: new Date().toISOString().slice(0, 10),
  fitted_on: [
    'magento_luma',
    'lab/evaluation/sets/shops/halden.json',
    'lab/evaluation/sets/shops/demo.json',
    'demo/questions.json',
    'clinc150_val as off topic',
  ],
  checked_on: 'each shop with a model of the others',
}
const namedWeights = PRODUCT_SIGNAL_NAMES.map((name, i) => [name, weights[i] ?? 0] as const).filter(
  ([, weight]) => weight !== 0,
)
writeFileSync(target, `${JSON.stringify({ about, bias, weights: Object.fromEntries(namedWeights) }, null, 2)}\n`)

/** Answered by the demo shop's pages, not by a product. */
function pageQuestions(): ShopQuestion[] {
  return readDemoSet().queries.map(({ text, after }) => ({
    kind: 'page',
    question: text,
    page: true,
    ...(after ? { after } : {}),
  }))
}

async function collect(name: string, shop: Shop, reader: Models['reader']): Promise<Row[]> {
  const catalogue = makeShopCatalogue(shop.items, models.embedder)
  const collectedRows: Row[] = []
  for (const manner of manners) {
    const histories = new Map<string, Turn[]>()
    for (const question of [...shop.questions, ...(manner === manners[0] ? offTopic : [])]) {
      const history = histories.get(question.after ?? '') ?? []
      const text = manner(question.question)
      const result = await answerFromProducts(text, 'en', history, voice, catalogue, {
        read: (one, passages) => reader.read(one, passages),
      })
      const answer = result?.answer
      const productIds = answer?.products?.map(({ id }) => id) ?? []
      const reply = { response: answer?.text ?? '', sources: answer?.sources ?? [], confidence: 1, answered: true }
      const { text: expectedText, ...rest } = question
      // Without the pages' part of the answer.
      const expectation = question.also_page || !expectedText ? rest : question
      const right = fault(reply, expectation, shop) === null
      // Otherwise a page would have answered.
      const turn: Turn = { role: 'assistant', text: reply.response, productIds: right ? productIds : [] }
      histories.set(question.question, [...history, { role: 'user', text }, turn])
      if (result?.signals) collectedRows.push({ shop: name, question: text, signals: result.signals, right })
    }
  }
  return collectedRows
}

/** All shops weigh the same. */
function fit(some: Row[]): number[] {
  const sizes = new Map<string, number>()
  for (const { shop } of some) sizes.set(shop, (sizes.get(shop) ?? 0) + 1)
  return fitLogistic(
    some.map((row) => ({ values: pick(row), label: row.right, weight: 300 / (sizes.get(row.shop) ?? 1) })),
    PRODUCT_SIGNAL_NAMES.map((name) => signs[name] ?? 1),
    RIDGE,
  )
}

function pick({ signals }: Row): number[] {
  return PRODUCT_SIGNAL_NAMES.map((name) => signals[name])
}

function report(name: string, some: Row[], coefficients: number[]) {
  const rowsWithConfidence = some.map((row) => ({ ...row, confidence: predict(coefficients, pick(row)) }))
  const [yes, no] = [true, false].map((isRight) => rowsWithConfidence.filter(({ right }) => right === isRight))
  const area = auroc(yes?.map(({ confidence }) => confidence) ?? [], no?.map(({ confidence }) => confidence) ?? [])
  const parts = [
    `right ${mean(some.map(({ right }) => Number(right)))?.toFixed(2)} of ${some.length}`,
    `mean ${mean(rowsWithConfidence.map(({ confidence }) => confidence))?.toFixed(2)}`,
    `ECE ${(100 * (calibrationError(rowsWithConfidence) ?? 0)).toFixed(1)}`,
    `AUROC ${area?.toFixed(3)}`,
  ]
  console.log(`${name}: ${parts.join(', ')}`)
  if (!process.argv.includes('--all')) return
  for (const { question, right, confidence, signals } of rowsWithConfidence) {
    if (right === confidence >= 0.5) continue
    const presentSignals = Object.entries(signals).filter(([, value]) => value !== 0)
    console.log(`  ${right ? 'right' : 'WRONG'} ${confidence.toFixed(2)} ${question}`)
    console.log(`    ${presentSignals.map(([signal, value]) => `${signal} ${value.toFixed(2)}`).join(', ')}`)
  }
}
