// A reply without its Markdown, for places that show text as it is: previews, emails.

const TABLE_ROW = /^\s*\|/
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** With `links`, their addresses follow the labels. */
export function plainText(markdown: string, { links }: { links: boolean }): string {
  return withoutTables(markdown.split('\n'))
    .join('\n')
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/(\*\*|__)(?=\S)((?:(?!\1)[^\n])*?\S)\1/g, '$2')
    .replace(/!?\[([^[\]\n]*)\]\(([^\s()]*)\)/g, (_, label, url) => (links && url ? `${label} (${url})` : label))
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** A row becomes "Norway: Standard 12.90 €, Express 24.90 €". */
function withoutTables(lines: string[]): string[] {
  const plain: string[] = []
  let columns: string[] | null = null
  for (const [index, line] of lines.entries()) {
    const isRow = TABLE_ROW.test(line)
    if (!isRow) columns = null
    if (isRow && TABLE_RULE.test(lines[index + 1] ?? '')) columns = cellsOf(line)
    else if (columns && isRow) plain.push(...(TABLE_RULE.test(line) ? [] : [rowText(columns, cellsOf(line))]))
    // The rest of a table that was cut off.
    else plain.push(isRow ? cellsOf(line).filter(Boolean).join(', ') : line)
  }
  return plain
}

function rowText([, ...columns]: string[], [name = '', ...values]: string[]): string {
  const cells = values.flatMap((value, index) => (value ? [`${columns[index] ?? ''} ${value}`.trim()] : []))
  return name && cells.length > 0 ? `${name}: ${cells.join(', ')}` : name || cells.join(', ')
}

function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
  return cells.slice(1, cells.at(-1) === '' ? -1 : undefined)
}
