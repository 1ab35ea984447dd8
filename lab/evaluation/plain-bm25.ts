// The baseline: BM25 over lower-case words.
import { mean, ndcg } from './eval-metrics.ts'
import type { Row } from './eval-run.ts'
import { type EvalSet, isListed } from './eval-set.ts'

const K1 = 1.2
const B = 0.75

export function plainBaseline(set: EvalSet): Row {
  const { corpus, queries, qrels } = set
  const isListedSet = isListed(set)
  const texts = corpus.map(({ title, text, markdown, examples }) =>
    words(examples ? examples.join(' ') : `${title} ${markdown ?? text}`),
  )
  const average = mean(texts.map(({ length }) => length)) ?? 1
  const postings = new Map<string, Map<number, number>>()
  for (const [index, text] of texts.entries()) {
    for (const word of text) {
      const counts = postings.get(word) ?? new Map<number, number>()
      postings.set(word, counts.set(index, (counts.get(index) ?? 0) + 1))
    }
  }
  const rank = (question: string) => {
    const scores = new Map<number, number>()
    for (const word of new Set(words(question))) {
      const counts = postings.get(word)
      if (!counts) continue
      const idf = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [index, count] of counts) {
        const norm = K1 * (1 - B + (B * (texts[index]?.length ?? 0)) / average)
        scores.set(index, (scores.get(index) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1]).map(([index]) => corpus[index]?._id ?? '')
  }
  const judgedQueries = queries.filter(
    ({ _id, answerable }) => answerable !== false && [...(qrels.get(_id)?.values() ?? [])].some((grade) => grade > 0),
  )
  const rankings = judgedQueries.map(({ _id, text }) => {
    const grades = qrels.get(_id) ?? new Map<string, number>()
    return { grades, ranking: rank(text).filter((id) => !isListedSet || grades.has(id)) }
  })
  return {
    'BM25 Hit@1': mean(rankings.map(({ ranking, grades }) => Number((grades.get(ranking[0] ?? '') ?? 0) > 0))),
    'BM25 nDCG@10': mean(rankings.map(({ ranking, grades }) => ndcg(ranking, grades, 10))),
  }
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
