// A model in ONNX Runtime: rows of token ids in, tensors out.

import { createRequire } from 'node:module'
import type { Tensor } from 'onnxruntime-node'

interface TokenRow {
  ids: readonly number[]
  /** Number of ids in the first of two segments; all by default. */
  firstSegment?: number
}

type RunModel = (rows: readonly TokenRow[]) => Promise<Record<string, Tensor>>

export async function openSession(path: string, threads: number): Promise<RunModel> {
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

const require = createRequire(import.meta.url)

function loadOnnxRuntime(): OnnxRuntime {
  try {
    return require(`@docent/runtime-${process.platform}-${process.arch}`) as OnnxRuntime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return require('onnxruntime-node') as OnnxRuntime
  }
}
