// Evaluation metrics. All are between 0 and 1, higher is better, except the calibration error.

export function mean(values: number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

export function ndcg(ranking: string[], grades: Map<string, number>, depth: number): number {
  const gain = (grade: number, rank: number) => (2 ** grade - 1) / Math.log2(rank + 2)
  const actual = ranking.slice(0, depth).reduce((sum, id, rank) => sum + gain(grades.get(id) ?? 0, rank), 0)
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, depth)
  const best = ideal.reduce((sum, grade, rank) => sum + gain(grade, rank), 0)
  return best === 0 ? 0 : actual / best
}

export function recall(ranking: string[], grades: Map<string, number>, depth: number): number {
  const relevantIds = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const top = new Set(ranking.slice(0, depth))
  return relevantIds.filter((id) => top.has(id)).length / Math.max(1, relevantIds.length)
}

/** Probability that a positive scores above a negative; ties count half. */
export function auroc(positives: number[], negatives: number[]): number | undefined {
  if (positives.length === 0 || negatives.length === 0) return undefined
  const all = [
    ...positives.map((score) => ({ score, positive: 1 })),
    ...negatives.map((score) => ({ score, positive: 0 })),
  ]
  all.sort((a, b) => a.score - b.score)
  let rankSum = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.score === all[start]?.score) end++
    const rank = (start + 1 + end) / 2
    for (; start < end; start++) if (all[start]?.positive) rankSum += rank
  }
  const n = positives.length
  return (rankSum - (n * (n + 1)) / 2) / (n * negatives.length)
}

/** Expected calibration error over ten bins: the gap between stated confidence and accuracy. */
export function calibrationError(rows: { confidence: number; right: boolean }[]): number | undefined {
  if (rows.length === 0) return undefined
  let error = 0
  for (let bin = 0; bin < 10; bin++) {
    const inside = rows.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin)
    const meanConfidence = mean(inside.map(({ confidence }) => confidence)) ?? 0
    const true_ = mean(inside.map(({ right }) => Number(right))) ?? 0
    error += (inside.length / rows.length) * Math.abs(meanConfidence - true_)
  }
  return error
}

/** Matthews correlation of predicted and true classes, the best over all thresholds below which "none" is predicted. */
export function bestCorrelation(rows: { predicted: string; truth: string; score: number }[]): number {
  const scores = [...new Set(rows.map(({ score }) => score))].sort((a, b) => a - b)
  const step = Math.max(1, Math.floor(scores.length / 100))
  let best = -1
  for (let index = 0; index < scores.length; index += step) {
    const threshold = scores[index] ?? 0
    const predictions = rows.map(({ predicted, truth, score }) => ({
      predicted: score >= threshold ? predicted : '',
      truth,
    }))
    best = Math.max(best, correlation(predictions))
  }
  return best
}

function correlation(rows: { predicted: string; truth: string }[]): number {
  const predictedCounts = new Map<string, number>()
  const truth = new Map<string, number>()
  let right = 0
  for (const row of rows) {
    predictedCounts.set(row.predicted, (predictedCounts.get(row.predicted) ?? 0) + 1)
    truth.set(row.truth, (truth.get(row.truth) ?? 0) + 1)
    if (row.predicted === row.truth) right++
  }
  const total = rows.length
  let both = 0
  for (const [name, count] of predictedCounts) both += count * (truth.get(name) ?? 0)
  const squares = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count * count, 0)
  const spread = Math.sqrt(total * total - squares(predictedCounts)) * Math.sqrt(total * total - squares(truth))
  return spread === 0 ? 0 : (right * total - both) / spread
}
