// npm run eval -- <folder>… [--words] [--every-vector] [--most 500] [--vectors folder] [--json file]: how good are the answers?
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { certainty } from '../../server/src/answers/confidence/skip-vectors.ts'
import { absent, startEmbedder } from '../../server/src/knowledge/vectors/embedder.ts'
import { readDemoSet } from './demo-set.ts'
import { type Row, runEval } from './eval-run.ts'
import { isEvalSet, readEvalSet } from './eval-set.ts'
import { keepVectors } from './keep-vectors.ts'
import { plainBaseline } from './plain-bm25.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'boolean', default: false },
    'every-vector': { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    most: { type: 'string', default: '100000' },
    vectors: { type: 'string' },
    json: { type: 'string' },
  },
})

const folders = positionals.filter((folder) => folder === 'demo' || isEvalSet(folder))
if (folders.length === 0) {
  console.error('Name at least one folder with corpus.jsonl, queries.jsonl and qrels.tsv, or demo.')
  process.exit(1)
}

// More of a question than there is cannot be covered, so no vector is skipped.
if (values['every-vector']) certainty.coverage = 2
const model = values.words ? absent('switched off') : await startEmbedder()
const embedder = values.vectors ? keepVectors(model, values.vectors) : model
const rows: Row[] = []
for (const folder of folders) {
  const set = folder === 'demo' ? readDemoSet() : readEvalSet(folder)
  const row = await runEval(set, embedder, Number(values.most))
  rows.push(values.baseline ? { ...row, ...plainBaseline(set) } : row)
  print(rows.at(-1) ?? {})
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
await embedder.close()

function print(row: Row) {
  const cells = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [`${name} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : value}`]
  })
  console.log(cells.join('  '))
}
