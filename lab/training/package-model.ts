// node lab/training/package-model.ts reader|embedder <model.onnx> <vocabulary>: installs an exported model in models/.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readVocabulary } from './tokens.ts'

const [kind = '', model = '', vocabulary = ''] = process.argv.slice(2)
const folder = fileURLToPath(new URL(`../../models/${kind}/`, import.meta.url))
mkdirSync(folder, { recursive: true })

writeFileSync(`${folder}vocab.txt`, readVocabulary(vocabulary).join('\n'))
copyFileSync(model, `${folder}model.onnx`)

const sha256 = (name: string) =>
  createHash('sha256')
    .update(readFileSync(folder + name))
    .digest('hex')
const date = new Date().toISOString().slice(0, 10)
const sums = { 'model.onnx': sha256('model.onnx'), 'vocab.txt': sha256('vocab.txt') }
// The name tells this model's vectors from another's.
const name = `docent-${kind}-${date}-${sums['model.onnx'].slice(0, 8)}`
writeFileSync(`${folder}model.json`, `${JSON.stringify({ name, date, sha256: sums }, null, 2)}\n`)
console.log(name)
