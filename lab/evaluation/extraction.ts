// node lab/evaluation/extraction.ts <folder>: precision and recall of main text extraction. Each subfolder holds a page
// (source.html) and its expected text (expected.html).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOfBlocks } from '../../server/src/sources/documents/document-blocks.ts'
import { extractPage } from '../../server/src/sources/extraction/extract-page.ts'
import { parseHtml } from '../../server/src/sources/html/parse-html.ts'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Name a folder of folders that hold source.html and expected.html.')
  process.exit(1)
}

const rows = readdirSync(folder).map((name) => {
  const source = readFileSync(join(folder, name, 'source.html'))
  const expectedWords = words(readFileSync(join(folder, name, 'expected.html'), 'utf8'))
  const start = performance.now()
  const { content } = extractPage(source, 'text/html; charset=utf-8')
  const ms = performance.now() - start
  return {
    name,
    ms,
    found: tokenF1(words(content), expectedWords),
    whole: tokenF1(words(source.toString('utf8')), expectedWords),
  }
})

const worst = [...rows].sort((a, b) => a.found - b.found).slice(0, 5)
console.log(`pages ${rows.length}  token F1 ${mean(rows.map(({ found }) => found)).toFixed(4)}`)
console.log(`the same without looking for the main text ${mean(rows.map(({ whole }) => whole)).toFixed(4)}`)
console.log(
  `ms a page: mean ${mean(rows.map(({ ms }) => ms)).toFixed(1)}, most ${Math.max(...rows.map(({ ms }) => ms)).toFixed(0)}`,
)
console.log(`worst: ${worst.map(({ name, found }) => `${name} ${found.toFixed(2)}`).join(', ')}`)

function words(html: string): string[] {
  const text = textOfBlocks(parseHtml(html))
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function tokenF1(foundWords: string[], expectedWords: string[]): number {
  const remainingCounts = new Map<string, number>()
  for (const word of expectedWords) remainingCounts.set(word, (remainingCounts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of foundWords) {
    const count = remainingCounts.get(word) ?? 0
    if (count > 0) common++
    remainingCounts.set(word, count - 1)
  }
  return foundWords.length + expectedWords.length > 0 ? (2 * common) / (foundWords.length + expectedWords.length) : 1
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
