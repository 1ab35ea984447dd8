// Downloads a list as CSV, created in the browser.
interface CsvColumn<T> {
  label: string
  value?: (item: T) => string | number | null
}

export function downloadCsv<T>(name: string, columns: CsvColumn<T>[], items: T[]) {
  const exportedColumns = columns.filter(({ value }) => value)
  const lines = [
    exportedColumns.map(({ label }) => label),
    ...items.map((item) => exportedColumns.map(({ value }) => value?.(item) ?? '')),
  ]
  const text = lines.map((line) => line.map(csvCell).join(',')).join('\r\n')
  const link = document.createElement('a')
  // The byte order mark tells spreadsheets that it is UTF-8.
  link.href = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' }))
  link.download = `${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Quotes a cell, and keeps spreadsheets from running it as a formula. */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
