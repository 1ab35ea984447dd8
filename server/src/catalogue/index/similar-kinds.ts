// The kinds of products in a catalogue that are close to a word in meaning: "couch" in a catalogue of sofas.

import type { Embedder } from '../../inference/types.ts'
import type { SimilarKind } from '../answers/types.ts'
import type { ProductIndex } from './product-index.ts'

const MAX_KINDS = 200
// Synonyms are nearer than this, different kinds farther apart.
const NEAR = 0.5
// Weaker matches would only dilute the best one.
const BEHIND_NEAREST = 0.1

export type SimilarKinds = (index: ProductIndex, phrase: string) => Promise<SimilarKind[]>

interface Deps {
  embedder: Embedder
  budgetMs: number
}

export function createSimilarKinds({ embedder, budgetMs }: Deps): SimilarKinds {
  const learnt = new WeakMap<ProductIndex, Map<string, Float32Array>>()
  const learning = new WeakMap<ProductIndex, Promise<void>>()

  function vectorsOf(index: ProductIndex): Map<string, Float32Array> {
    const known = learnt.get(index) ?? new Map<string, Float32Array>()
    learnt.set(index, known)
    return known
  }

  async function learn(index: ProductIndex, missing: string[]) {
    // At lower priority than visitors' questions.
    const vectors = await embedder.embed(missing, { urgent: false })
    const known = vectorsOf(index)
    for (const [at, kind] of missing.entries()) {
      const vector = vectors[at]
      if (vector) known.set(kind, vector)
    }
    learning.delete(index)
  }

  return async (index, phrase) => {
    if (embedder.state.kind === 'absent') return []
    const kinds = index.kinds.slice(0, MAX_KINDS)
    const known = vectorsOf(index)
    const missing = kinds.filter((kind) => !known.has(kind))
    if (missing.length > 0) {
      const coming = learning.get(index) ?? learn(index, missing)
      learning.set(index, coming)
      let timer: NodeJS.Timeout | undefined
      await Promise.race([coming, new Promise((resolve) => (timer = setTimeout(resolve, budgetMs)))])
      clearTimeout(timer)
    }
    const [vector] = await embedder.embed([phrase], { budgetMs })
    if (!vector) return []
    const near = kinds
      .map((kind) => ({ key: `kind:${kind}`, weight: likeness(vector, known.get(kind)) }))
      .filter(({ weight }) => weight >= NEAR)
      .sort((a, b) => b.weight - a.weight)
    return near.filter(({ weight }) => weight > (near[0]?.weight ?? 0) - BEHIND_NEAREST)
  }
}

function likeness(a: Float32Array, b: Float32Array | undefined): number {
  return b ? a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) : 0
}
