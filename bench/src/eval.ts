// npm run eval -- <folder>… [--words] [--every-vector] [--most 500] [--cache folder] [--json file]: how good are the answers?
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { certainty } from '../../server/src/answers/confidence/skip-vectors.ts'
import { absentModels } from '../../server/src/models/types.ts'
import { readCompanySets } from './evaluation/company-set.ts'
import { readDemoSet } from './evaluation/demo-set.ts'
import { readDialogueSets } from './evaluation/dialogue-set.ts'
import { startEvalModels } from './evaluation/eval-models.ts'
import { type Row, runEval } from './evaluation/eval-run.ts'
import { type EvalSet, isEvalSet, readEvalSet } from './evaluation/eval-set.ts'
import { plainBaseline } from './evaluation/plain-bm25.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'boolean', default: false },
    'every-vector': { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    most: { type: 'string', default: '100000' },
    cache: { type: 'string' },
    json: { type: 'string' },
  },
})

const ownSets: Record<string, () => EvalSet[]> = {
  companies: readCompanySets,
  demo: () => [readDemoSet()],
  dialogues: readDialogueSets,
}
const folders = positionals.filter((folder) => ownSets[folder] || isEvalSet(folder))
if (folders.length === 0) {
  console.error(
    'Name at least one folder with corpus.jsonl, queries.jsonl and qrels.tsv, or demo, dialogues or companies.',
  )
  process.exit(1)
}

// Coverage never exceeds 1, so no vector is skipped.
if (values['every-vector']) certainty.coverage = 2
const models = values.words ? absentModels('switched off') : await startEvalModels(values.cache)
const rows: Row[] = []
for (const set of folders.flatMap(readSets)) {
  const row = await runEval(set, models, Number(values.most))
  rows.push(values.baseline ? { ...row, ...plainBaseline(set) } : row)
  print(rows.at(-1) ?? {})
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
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
