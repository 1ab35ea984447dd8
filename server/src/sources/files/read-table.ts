// Converts a table to Markdown: one section per row, headed by its first cell, with column names before values.
import { csvRows } from '../csv.ts'
import { UnreadableFile } from './unreadable-file.ts'

const MAX_ROWS = 20_000

export async function readTable(text: string): Promise<string> {
  const sections: string[] = []
  let names: string[] | null = null
  for await (const row of csvRows([text])) {
    if (names === null) names = row.map((name) => name.trim())
    else sections.push(section(names, row))
    if (sections.length > MAX_ROWS) throw new UnreadableFile(`This table has more than ${MAX_ROWS} rows.`)
  }
  if (sections.length === 0) throw new UnreadableFile('This table has no rows below its header.')
  return sections.join('\n\n')
}

function section(names: string[], row: string[]): string {
  const filled = row.map((value, index) => ({ name: names[index] ?? '', value: value.trim() }))
  const [first, ...others] = filled.filter(({ value }) => value !== '')
  const lines = others.map(({ name, value }) => (name ? `${name}: ${value}` : value))
  return `## ${first?.value.replace(/\s+/g, ' ') ?? ''}\n\n${lines.join('\n\n')}`
}
