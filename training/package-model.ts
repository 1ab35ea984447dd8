// node training/package-model.ts reader|embedder <model.onnx> <tokenizer.json>: installs an exported model in models/.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [kind = '', model = '', tokenizer = ''] = process.argv.slice(2)
const folder = fileURLToPath(new URL(`../models/${kind}/`, import.meta.url))
mkdirSync(folder, { recursive: true })

const { vocab } = (JSON.parse(readFileSync(tokenizer, 'utf8')) as { model: { vocab: Record<string, number> } }).model
const tokens: string[] = []
for (const [token, number] of Object.entries(vocab)) tokens[number] = token
writeFileSync(`${folder}vocab.txt`, tokens.join('\n'))
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
