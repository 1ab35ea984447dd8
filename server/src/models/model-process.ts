// Runs in a process of its own: text → tokens → model → mean of the token vectors → unit length.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import * as ort from 'onnxruntime-node'
import type { EmbedReply, EmbedRequest, EmbedSettings } from './embed-protocol.ts'

const { modelDir, modelFile, maxTokens, threads } = JSON.parse(process.argv[2] ?? '{}') as EmbedSettings
const send = (reply: EmbedReply) => process.send?.(reply)
// The one who asks is gone: nothing is left to do.
process.on('disconnect', () => process.exit(0))

try {
  const tokenizer = new Tokenizer(readJson('tokenizer.json'), readJson('tokenizer_config.json'))
  const session = await ort.InferenceSession.create(join(modelDir, modelFile), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  })
  const waiting: EmbedRequest[] = []
  let busy = false
  process.on('message', (message: EmbedRequest) => {
    waiting.push(message)
    if (!busy) void drain()
  })
  send({ kind: 'ready' })

  async function drain(): Promise<void> {
    busy = true
    for (let request = waiting.shift(); request; request = waiting.shift()) {
      try {
        const { vectors, dimensions } = await embed(request.texts)
        send({ kind: 'vectors', id: request.id, vectors, dimensions })
      } catch (error) {
        send({ kind: 'failed', id: request.id, reason: String(error) })
      }
    }
    busy = false
  }

  async function embed(texts: string[]): Promise<{ vectors: Float32Array; dimensions: number }> {
    const rows = texts.map((text) => truncate(tokenizer.encode(text).ids))
    const width = Math.max(...rows.map((row) => row.length))
    const ids = new BigInt64Array(rows.length * width)
    const mask = new BigInt64Array(rows.length * width)
    rows.forEach((row, r) => {
      row.forEach((id, c) => {
        ids[r * width + c] = BigInt(id)
        mask[r * width + c] = 1n
      })
    })
    const shape = [rows.length, width]
    const feeds: Record<string, ort.Tensor> = {}
    for (const name of session.inputNames) {
      const data = name === 'input_ids' ? ids : name === 'attention_mask' ? mask : new BigInt64Array(ids.length)
      feeds[name] = new ort.Tensor('int64', data, shape)
    }
    const output = (await session.run(feeds))[session.outputNames[0] ?? '']
    if (!output) throw new Error('the model gave no output')
    const dimensions = output.dims[2] ?? 0
    return { vectors: meanOfTokens(output.data as Float32Array, rows, width, dimensions), dimensions }
  }

  // Keeps the closing [SEP], which the model was trained with.
  function truncate(ids: number[]): number[] {
    const last = ids.at(-1)
    return ids.length <= maxTokens || last === undefined ? ids : [...ids.slice(0, maxTokens - 1), last]
  }
} catch (error) {
  send({ kind: 'absent', reason: String(error) })
}

function meanOfTokens(hidden: Float32Array, rows: number[][], width: number, dimensions: number): Float32Array {
  const vectors = new Float32Array(rows.length * dimensions)
  rows.forEach((row, r) => {
    const vector = vectors.subarray(r * dimensions, (r + 1) * dimensions)
    for (let t = 0; t < row.length; t++) {
      const from = (r * width + t) * dimensions
      for (let d = 0; d < dimensions; d++) vector[d]! += hidden[from + d]!
    }
    let squares = 0
    for (let d = 0; d < dimensions; d++) squares += vector[d]! * vector[d]!
    const length = Math.sqrt(squares) || 1
    for (let d = 0; d < dimensions; d++) vector[d]! /= length
  })
  return vectors
}

function readJson(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(modelDir, name), 'utf8')) as Record<string, unknown>
}
