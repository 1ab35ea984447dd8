// Catalogue words that an unknown word may mean: misspelt ("jaket"), or part of a compound ("Regenjacke").
import { type ProductIndex, wordEdges } from './product-index.ts'

const MOST = 4
const LONGEST_SLIP = 2

export interface SimilarTerm {
  term: string
  weight: number
}

export function similarTerms({ spellings, postings }: ProductIndex, word: string): SimilarTerm[] {
  if (word.length < 4 || word.length > 30 || /\d/.test(word)) return []
  const found = new Map<string, number>()
  for (const edge of wordEdges(word)) {
    for (const term of spellings.get(edge) ?? []) {
      const weight = likeness(word, term)
      if (weight > 0) found.set(term, weight)
    }
  }
  // The end of a compound names the thing: a Regenjacke is a Jacke.
  for (let start = 2; start <= word.length - 4; start++) {
    const end = word.slice(start)
    if (postings.has(end) && !found.has(end)) found.set(end, 0.75)
  }
  return [...found]
    .map(([term, weight]) => ({ term, weight }))
    .sort((a, b) => b.weight - a.weight || a.term.length - b.term.length)
    .slice(0, MOST)
}

function likeness(word: string, term: string): number {
  const most = word.length >= 8 ? LONGEST_SLIP : 1
  const slips = Math.abs(word.length - term.length) <= most ? editDistance(word, term, most) : most + 1
  if (slips <= most) return slips === 1 ? 0.85 : 0.7
  if (word.length >= 5 && term.endsWith(word)) return 0.6
  return 0
}

/** Edit distance with swaps of neighbouring letters; above `most` it returns `most` + 1. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}
