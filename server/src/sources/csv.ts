// CSV with commas, semicolons or tabs (RFC 4180). Not csv-parse: it took 1.5 times as long for a feed of 23 MB, and
// we would still have to detect separators, build records and guard against formulas.
const SEPARATORS = [',', ';', '\t']
// Longer than any real one; each new chunk searches it again.
const LONGEST_FIRST_LINE = 1_000_000

/** Yields rows as the text arrives. Empty lines are skipped. */
export async function* csvRows(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  let separator: string | null = null
  let row: string[] = []
  let cell = ''
  let isQuoted = false

  function* consume(text: string, isLast: boolean): Generator<string[]> {
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] as string
      // A quote or carriage return at the end may belong to the next chunk.
      if (!isLast && at === text.length - 1 && (letter === '"' || letter === '\r')) {
        rest = letter
        return
      }
      if (isQuoted) {
        if (letter !== '"') cell += letter
        else if (text[at + 1] === '"') cell += text[++at]
        else isQuoted = false
      } else if (letter === '"' && cell === '') isQuoted = true
      else if (letter === separator) {
        row.push(cell)
        cell = ''
      } else if (letter === '\n' || letter === '\r') {
        if (letter === '\r' && text[at + 1] === '\n') at++
        yield* endRow()
      } else cell += letter
    }
  }

  function* endRow(): Generator<string[]> {
    row.push(cell)
    if (row.some((value) => value.trim() !== '')) yield row
    row = []
    cell = ''
  }

  for await (const chunk of chunks) {
    let text = rest + chunk
    rest = ''
    if (separator === null) {
      // The separator is detected from the whole first line.
      if (text.length < LONGEST_FIRST_LINE && !/[\r\n]/.test(text)) {
        rest = text
        continue
      }
      text = text.replace(/^\uFEFF/, '')
      separator = likelySeparator(text)
    }
    yield* consume(text, false)
  }
  separator ??= likelySeparator(rest)
  yield* consume(rest.replace(/^\uFEFF/, ''), true)
  if (cell !== '' || row.length > 0) yield* endRow()
}

/** Rows as objects, keyed by the header row. Empty cells are left out. */
export async function* csvRecords(
  chunks: AsyncIterable<string> | Iterable<string>,
  onNames: (names: string[]) => void = () => {},
): AsyncGenerator<object> {
  let names: string[] | null = null
  for await (const row of csvRows(chunks)) {
    if (names === null) {
      names = row.map((name) => name.trim().toLowerCase())
      onNames(names)
      continue
    }
    const record = recordOf(names, row)
    if (Object.keys(record).length > 0) yield record
  }
}

function recordOf(names: string[], row: string[]): object {
  const cells = names.map((name, index) => [name, escapeFormula(row[index] ?? '').trim()] as const)
  return Object.fromEntries(cells.filter(([name, value]) => name !== '' && name !== '__proto__' && value !== ''))
}

export function csvText(rows: string[][]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** For exports of visitors' words that nobody imports: no formula starts within a cell either, whatever the separator. */
export function csvReport(rows: string[][]): string {
  return csvText(rows.map((row) => row.map((cell) => cell.replace(/[;\t\r\n](?=[=+@])|[;\t](?=-)/g, "$&'"))))
}

/** Prefixes cells that a spreadsheet would run as formulas; reading removes the prefix. */
function csvCell(value: string): string {
  const safe = /^'*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function escapeFormula(value: string): string {
  return /^'+[=+\-@\t\r]/.test(value) ? value.slice(1) : value
}

function likelySeparator(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0]?.replace(/"[^"]*"/g, '') ?? ''
  const counts = SEPARATORS.map((separator) => line.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}
