// Token ids in the format the training scripts read.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tokens of a `tokenizer.json`, ordered by id. */
export function readVocabulary(path: string): string[] {
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
