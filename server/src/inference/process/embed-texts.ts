// Turns texts into unit vectors, with the bundled sentence model or one in the model hub layout.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLS, SEP } from '../reader-input.ts'
import { makeTokenizer } from '../wordpiece.ts'
import { openSession } from './session.ts'

export async function makeEmbed(
  { dir, file, maxTokens }: { dir: string; file: string; maxTokens: number },
  threads: number,
) {
  const encode = await makeEncode(dir)
  const run = await openSession(join(dir, file), threads)
  return async (texts: string[]): Promise<{ vectors: Float32Array; dimensions: number }> => {
    const rows = texts.map((text) => ({ ids: encode(text, maxTokens) }))
    const output = Object.values(await run(rows))[0]
    if (!output) throw new Error('the model gave no output')
    const dimensions = output.dims.at(-1) ?? 0
    const data = output.data as Float32Array
    // The bundled model returns one vector per text; others return one per token, which are averaged.
    const isPooled = output.dims.length === 2
    const vectors = isPooled ? data.slice() : sumOfTokens(data, rows, output.dims[1] ?? 0, dimensions)
    for (let from = 0; from < vectors.length; from += dimensions) normalise(vectors.subarray(from, from + dimensions))
    return { vectors, dimensions }
  }
}

async function makeEncode(dir: string): Promise<(text: string, most: number) => number[]> {
  // Other models ship a tokenizer.json; ours only needs its vocabulary.
  if (!existsSync(join(dir, 'tokenizer.json'))) {
    const tokenize = makeTokenizer(readFileSync(join(dir, 'vocab.txt'), 'utf8').split('\n'))
    return (text, most) => [CLS, ...tokenize(text, most - 2).ids, SEP]
  }
  const { Tokenizer } = await import('@huggingface/tokenizers')
  const tokenizer = new Tokenizer(readJson(dir, 'tokenizer.json'), readJson(dir, 'tokenizer_config.json'))
  return (text, most) => {
    const { ids } = tokenizer.encode(text)
    const last = ids.at(-1)
    // Keeps the closing [SEP] that models are trained with.
    return ids.length <= most || last === undefined ? ids : [...ids.slice(0, most - 1), last]
  }
}

function sumOfTokens(
  hiddenStates: Float32Array,
  rows: { ids: number[] }[],
  width: number,
  dimensions: number,
): Float32Array {
  const vectors = new Float32Array(rows.length * dimensions)
  for (const [r, { ids }] of rows.entries()) {
    const vector = vectors.subarray(r * dimensions, (r + 1) * dimensions)
    for (let t = 0; t < ids.length; t++) {
      const from = (r * width + t) * dimensions
      for (let d = 0; d < dimensions; d++) vector[d]! += hiddenStates[from + d]!
    }
  }
  return vectors
}

function normalise(vector: Float32Array): void {
  const length = Math.hypot(...vector) || 1
  for (let d = 0; d < vector.length; d++) vector[d]! /= length
}

function readJson(dir: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as Record<string, unknown>
}
