// Caches vectors in a folder: the sets do not change, and embedding takes most of an evaluation's time.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../../server/src/inference/types.ts'

export function cacheVectors(embedder: Embedder, parent: string): Embedder {
  // Vectors of different models are not comparable.
  const folder = join(parent, embedder.model ?? 'none')
  mkdirSync(folder, { recursive: true })
  const textsFile = join(folder, 'texts.jsonl')
  const vectorsFile = join(folder, 'vectors.f32')
  const vectors = readKept(textsFile, vectorsFile)

  return {
    get model() {
      return embedder.model
    },
    get state() {
      return embedder.state
    },
    async embed(texts, options) {
      const missing = [...new Set(texts.filter((text) => !vectors.has(text)))]
      const newVectors = missing.length === 0 ? [] : await embedder.embed(missing, options)
      for (const [i, vector] of newVectors.entries()) {
        const text = missing[i] ?? ''
        if (!vector || vectors.has(text)) continue
        vectors.set(text, vector)
        // The text last: every text listed there has its vector already.
        appendFileSync(vectorsFile, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
        appendFileSync(textsFile, `${JSON.stringify(text)}\n`)
      }
      return texts.map((text) => vectors.get(text))
    },
    close: () => embedder.close(),
  }
}

function readKept(textsFile: string, vectorsFile: string): Map<string, Float32Array> {
  if (!existsSync(textsFile)) return new Map()
  const texts = readFileSync(textsFile, 'utf8').split('\n').filter(Boolean)
  const bytes = readFileSync(vectorsFile)
  const flat = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const dimensions = flat.length / texts.length
  if (!Number.isInteger(dimensions)) throw new Error(`${vectorsFile} was cut off: delete its folder`)
  return new Map(
    texts.map((text, i) => [JSON.parse(text) as string, flat.subarray(i * dimensions, (i + 1) * dimensions)]),
  )
}
