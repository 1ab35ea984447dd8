// npm run eval -- <folder>… [--words] [--every-vector] [--most 500] [--cache folder] [--json file] [--replies file] [--set name=value]… [--model recorded] [--recorded file]… [--missing file]: how good are the answers?
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { certainty } from '../../server/src/answers/find-hits.ts'
import { type Policy, policy } from '../../server/src/answers/policy.ts'
import { absentModels } from '../../server/src/inference/types.ts'
import { readCompanySets } from './company-set.ts'
import { readDemoSet } from './demo-set.ts'
import { readDialogueSets } from './dialogue-set.ts'
import { startEvalModels } from './eval-models.ts'
import { type Reply, type Row, runEval } from './eval-run.ts'
import { type EvalSet, isEvalSet, readEvalSet, readVisitorSets } from './eval-set.ts'
import { plainBaseline } from './plain-bm25.ts'
import { openRecordedModel, writeReplies } from './recorded-model.ts'
import { readShopSets } from './shop-dialogue-set.ts'

const RECORDED_REPLIES = fileURLToPath(new URL('./sets/replies.jsonl', import.meta.url))
// What tells whether a language model does better than the built-in engine.
const COMPARED = ['helpful', 'direct', 'honest', 'invented', 'median words']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'boolean', default: false },
    'every-vector': { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    most: { type: 'string', default: '100000' },
    cache: { type: 'string' },
    json: { type: 'string' },
    replies: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    model: { type: 'string' },
    recorded: { type: 'string', multiple: true, default: [RECORDED_REPLIES] },
    missing: { type: 'string', default: 'missing-replies.jsonl' },
  },
})

const ownSets: Record<string, () => EvalSet[]> = {
  companies: readCompanySets,
  demo: () => [readDemoSet()],
  dialogues: readDialogueSets,
  shops: readShopSets,
  visitors: readVisitorSets,
}
const folders = positionals.filter((folder) => ownSets[folder] || isEvalSet(folder))
if (folders.length === 0) {
  console.error(
    'Name at least one folder with corpus.jsonl, queries.jsonl and qrels.tsv, or demo, dialogues, shops, companies or visitors.',
  )
  process.exit(1)
}

for (const setting of values.set) {
  const [name = '', value] = setting.split('=')
  if (!(name in policy) || !Number.isFinite(Number(value))) throw new Error(`No policy value: ${setting}`)
  policy[name as keyof Policy] = Number(value)
}
if (values.model !== undefined && values.model !== 'recorded') throw new Error('The only model is `recorded`.')
const model = values.model ? openRecordedModel(values.recorded) : undefined
// Coverage never exceeds 1, so no vector is skipped.
if (values['every-vector']) certainty.coverage = 2
const models = values.words ? absentModels('switched off') : await startEvalModels(values.cache)
const rows: Row[] = []
const replies: Reply[] = []
for (const set of folders.flatMap(readSets)) {
  const row = model ? await compareEngines(set) : await runEval(set, models, Number(values.most), keepReply)
  rows.push(values.baseline ? { ...row, ...plainBaseline(set) } : row)
  print(rows.at(-1) ?? {})
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
if (values.replies) writeFileSync(values.replies, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
await models.close()
if (model) {
  const missing = model.missing()
  writeReplies(values.missing, missing)
  if (missing.length > 0) console.log(`${missing.length} prompts have no reply yet; they are in ${values.missing}.`)
}

function readSets(folder: string): EvalSet[] {
  return ownSets[folder]?.() ?? [readEvalSet(folder)]
}

function keepReply(reply: Reply) {
  replies.push(reply)
}

/** The language model, and the built-in engine on the questions that have a recorded reply. */
async function compareEngines(set: EvalSet): Promise<Row> {
  const missing = new Set<string>()
  const row = await runEval(set, models, Number(values.most), keepReply, model, (id) => missing.add(id))
  const answeredSet = { ...set, queries: set.queries.filter(({ _id }) => !missing.has(_id)) }
  const builtIn = answeredSet.queries.length > 0 ? await runEval(answeredSet, models, Number(values.most)) : {}
  const comparedFigures = COMPARED.flatMap((name) => [
    [name, row[name]],
    [`${name} (built-in)`, builtIn[name]],
  ])
  return { set: set.name, 'without a reply': missing.size, ...Object.fromEntries(comparedFigures), ...row }
}

function print(row: Row) {
  const cells = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value}`]
  })
  console.log(cells.join('  '))
}
