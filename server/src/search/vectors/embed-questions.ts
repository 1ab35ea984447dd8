// Embeds many questions for insights, at the lowest priority.
import type { Embedder } from '../../inference/types.ts'
import { modelText } from './model-text.ts'

const BUDGET_MS = 4000
const KEPT = 3000

interface AskedQuestion {
  text: string
  language: string
}

export function createEmbedQuestions(embedder: Embedder) {
  const known = new Map<string, Float32Array>()

  let embedding: Promise<void> = Promise.resolve()

  async function embed(texts: string[]) {
    const missing = texts.filter((text) => !known.has(text))
    const vectors = missing.length > 0 ? await embedder.embed(missing, { urgent: false }) : []
    if (known.size + missing.length > KEPT) known.clear()
    for (const [index, text] of missing.entries()) {
      const vector = vectors[index]
      if (vector) known.set(text, vector)
    }
  }

  /** Undefined if not ready yet; a late vector is available the next time. */
  return async (questions: AskedQuestion[]): Promise<(Float32Array | undefined)[]> => {
    if (embedder.state.kind === 'absent') return questions.map(() => undefined)
    const texts = questions.map(({ text }) => modelText(text))
    const missing = [...new Set(texts)]
    // One batch at a time: repeated requests wait for the vectors already being computed.
    embedding = embedding.then(() => embed(missing)).catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, BUDGET_MS)
    })
    await Promise.race([embedding, late])
    clearTimeout(timer)
    return texts.map((text) => known.get(text))
  }
}
