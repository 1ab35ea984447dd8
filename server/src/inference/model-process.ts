// Runs in its own process, so that the models' memory is freed with it: embeds texts and reads passages.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Tensor } from 'onnxruntime-node'
import type { ModelReply, ModelRequest, ModelSettings } from './model-process-owner.ts'
import {
  CLS,
  LONGEST_INPUT,
  passageTokens,
  questionTokens,
  type ReaderPassage,
  type ReaderQuestion,
  SEP,
} from './reader-input.ts'
import type { Reading } from './types.ts'
import { makeTokenizer } from './wordpiece.ts'

// Batch passages of similar length: padding makes a short passage as expensive as the longest one.
const READ_TOGETHER = 4
const LONGEST_SPAN_TOKENS = 40

const settings = JSON.parse(process.argv[2] ?? '{}') as ModelSettings
const send = (reply: ModelReply) => process.send?.(reply)
// The parent is gone.
process.on('disconnect', () => process.exit(0))

const embed = await load(settings.embedder && (() => makeEmbed(settings.embedder!, settings.threads)))
const loadedReader = await load(settings.reader && (() => makeRead(settings.reader!, settings.threads)))

process.on('message', async (request: ModelRequest) => {
  try {
    if (request.kind === 'embed') send({ kind: 'vectors', ...(await embed.model!(request.texts)) })
    else send({ kind: 'readings', readings: await loadedReader.model!(request.question, request.passages) })
  } catch (error) {
    send({ kind: 'failed', reason: String(error) })
  }
})
send({ kind: 'ready', embedderProblem: embed.problem, readerProblem: loadedReader.problem })

async function load<T>(create: (() => Promise<T>) | null): Promise<{ model: T | null; problem: string | null }> {
  try {
    return create ? { model: await create(), problem: null } : { model: null, problem: 'switched off' }
  } catch (error) {
    return { model: null, problem: String(error) }
  }
}

// Turns texts into unit vectors, with the bundled sentence model or one in the model hub layout.

async function makeEmbed({ dir, file, maxTokens }: { dir: string; file: string; maxTokens: number }, threads: number) {
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

// Runs the reader on a question's candidate passages: how likely each one answers the question, and where.

interface Row {
  index: number
  ids: number[]
  firstSegment: number
  textFrom: number
  starts: number[]
  ends: number[]
}

async function makeRead({ dir, file }: { dir: string; file: string }, threads: number) {
  const tokenize = makeTokenizer(readFileSync(join(dir, 'vocab.txt'), 'utf8').split('\n'))
  const run = await openSession(join(dir, file), threads)

  function rowOf(question: number[], passage: ReaderPassage, index: number): Row {
    const { ids, textFrom, starts, ends } = passageTokens(passage, tokenize)
    const firstSegment = question.length + 2
    const inputIds = ids.slice(0, LONGEST_INPUT - firstSegment - 1)
    return {
      index,
      ids: [CLS, ...question, SEP, ...inputIds, SEP],
      firstSegment,
      textFrom: firstSegment + textFrom,
      starts: starts.slice(0, inputIds.length - textFrom),
      ends,
    }
  }

  return async (question: ReaderQuestion, passages: readonly ReaderPassage[]): Promise<Reading[]> => {
    const questionIds = questionTokens(question, tokenize)
    const rows = passages.map((passage, index) => rowOf(questionIds, passage, index))
    rows.sort((a, b) => a.ids.length - b.ids.length)
    const readings: Reading[] = []
    for (let from = 0; from < rows.length; from += READ_TOGETHER) {
      const some = rows.slice(from, from + READ_TOGETHER)
      const output = await run(some)
      const [scores, spans] = [output.scores, output.span].map((tensor) => tensor?.data as Float32Array)
      if (!scores || !spans) throw new Error('the model gave no output')
      const width = Math.max(...some.map(({ ids }) => ids.length))
      for (const [r, row] of some.entries()) {
        const logits = spans.subarray(r * width * 2, (r + 1) * width * 2)
        const [relevance = 0, polarity = 0] = scores.subarray(r * 2, r * 2 + 2)
        readings[row.index] = { relevance, polarity, span: bestSpan(logits, row) }
      }
    }
    return readings
  }
}

/** The likeliest answer span in the text; start and end logits alternate. */
function bestSpan(logits: Float32Array, { textFrom, starts, ends }: Row): Reading['span'] {
  let best = { score: Number.NEGATIVE_INFINITY, first: -1, last: -1 }
  for (let first = 0; first < starts.length; first++) {
    const most = Math.min(starts.length, first + LONGEST_SPAN_TOKENS)
    for (let last = first; last < most; last++) {
      const score = logits[(textFrom + first) * 2]! + logits[(textFrom + last) * 2 + 1]!
      if (score > best.score) best = { score, first, last }
    }
  }
  if (best.first < 0) return null
  const nowhere = logits[0]! + logits[1]!
  return { start: starts[best.first]!, end: ends[best.last]!, lead: best.score - nowhere }
}

// A model in ONNX Runtime: rows of token ids in, tensors out.

interface TokenRow {
  ids: readonly number[]
  /** Number of ids in the first of two segments; all by default. */
  firstSegment?: number
}

type RunModel = (rows: readonly TokenRow[]) => Promise<Record<string, Tensor>>

async function openSession(path: string, threads: number): Promise<RunModel> {
  const ort = loadOnnxRuntime()
  const session = await ort.InferenceSession.create(path, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    // Spinning threads take CPU time from others, and from each other under load.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  return async (rows) => {
    const width = Math.max(...rows.map(({ ids }) => ids.length))
    const size = rows.length * width
    const ids = new BigInt64Array(size)
    const mask = new BigInt64Array(size)
    const types = new BigInt64Array(size)
    for (const [r, row] of rows.entries()) {
      for (const [c, id] of row.ids.entries()) {
        ids[r * width + c] = BigInt(id)
        mask[r * width + c] = 1n
        if (c >= (row.firstSegment ?? width)) types[r * width + c] = 1n
      }
    }
    const inputs: Record<string, BigInt64Array> = { input_ids: ids, attention_mask: mask, token_type_ids: types }
    const feeds: Record<string, Tensor> = {}
    for (const name of session.inputNames) {
      feeds[name] = new ort.Tensor('int64', inputs[name] ?? new BigInt64Array(size), [rows.length, width])
    }
    return session.run(feeds)
  }
}

// ONNX Runtime: from npm in a clone; the `docent` package bundles it per platform in its runtime package.

type OnnxRuntime = typeof import('onnxruntime-node')

function loadOnnxRuntime(): OnnxRuntime {
  const require = createRequire(import.meta.url)
  try {
    return require(`@docent/runtime-${process.platform}-${process.arch}`) as OnnxRuntime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return require('onnxruntime-node') as OnnxRuntime
  }
}
