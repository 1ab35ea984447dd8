// Token ids in the format the training scripts read.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tokens of a `tokenizer.json`, or of a text file with one a line, ordered by id. */
export function readVocabulary(path: string): string[] {
  if (path.endsWith('.txt')) return readFileSync(path, 'utf8').split('\n')
  const { model } = JSON.parse(readFileSync(path, 'utf8')) as { model: { vocab: Record<string, number> } }
  const tokens: string[] = []
  for (const [token, number] of Object.entries(model.vocab)) tokens[number] = token
  return tokens
}

/** All lists in one file of 16-bit numbers, and their lengths in another. */
export function writeTokens(folder: string, name: string, lists: number[][]): void {
  writeFileSync(join(folder, `${name}.u16`), Uint16Array.from(lists.flat()))
  writeFileSync(join(folder, `${name}.lengths.u16`), Uint16Array.from(lists.map(({ length }) => length)))
}

/** Lines of a text file, which may be packed with xz. */
export function readLines(folder: string, name: string): string[] {
  const path = join(folder, name)
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : execFileSync('xz', ['-dc', `${path}.xz`], { maxBuffer: 2 ** 30 }).toString()
  return text.split('\n').filter((line) => line !== '')
}

export function readJsonLines<Row>(folder: string, name: string): Row[] {
  return readLines(folder, name).map((line) => JSON.parse(line) as Row)
}
