// npm run eval -- <folder>… [--words] [--every-vector] [--most 500] [--cache folder] [--json file] [--replies file] [--set name=value]…: how good are the answers?
import { writeFileSync } from 'node:fs'
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
  },
})

const ownSets: Record<string, () => EvalSet[]> = {
  companies: readCompanySets,
  demo: () => [readDemoSet()],
  dialogues: readDialogueSets,
  visitors: readVisitorSets,
}
const folders = positionals.filter((folder) => ownSets[folder] || isEvalSet(folder))
if (folders.length === 0) {
  console.error(
    'Name at least one folder with corpus.jsonl, queries.jsonl and qrels.tsv, or demo, dialogues, companies or visitors.',
  )
  process.exit(1)
}

for (const setting of values.set) {
  const [name = '', value] = setting.split('=')
  if (!(name in policy) || !Number.isFinite(Number(value))) throw new Error(`No policy value: ${setting}`)
  policy[name as keyof Policy] = Number(value)
}
// Coverage never exceeds 1, so no vector is skipped.
if (values['every-vector']) certainty.coverage = 2
const models = values.words ? absentModels('switched off') : await startEvalModels(values.cache)
const rows: Row[] = []
const replies: Reply[] = []
for (const set of folders.flatMap(readSets)) {
  const row = await runEval(set, models, Number(values.most), (reply) => replies.push(reply))
  rows.push(values.baseline ? { ...row, ...plainBaseline(set) } : row)
  print(rows.at(-1) ?? {})
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
if (values.replies) writeFileSync(values.replies, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
await models.close()

function readSets(folder: string): EvalSet[] {
  return ownSets[folder]?.() ?? [readEvalSet(folder)]
}

function print(row: Row) {
  const cells = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value}`]
  })
  console.log(cells.join('  '))
}
