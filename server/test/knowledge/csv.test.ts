// CSV: the dialects of spreadsheets can be read, and written tables can be read back.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRecords, csvRows, csvText } from '../../src/sources/csv.ts'

const all = async <T>(rows: AsyncIterable<T>) => Array.fromAsync(rows)

test.each([
  ['commas', 'a,b\n1,2\n'],
  ['semicolons', 'a;b\r\n1;2'],
  ['tabs', 'a\tb\r1\t2\r'],
  ['a byte order mark and empty lines', '\uFEFFa,b\n\n1,2\n\n'],
  ['quotes', '"a","b"\n"1","2"'],
])('%s', async (_, text) => {
  expect(await all(csvRows([text]))).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
})

test('quoted cells may contain separators, line breaks and quotes', async () => {
  const rows = await all(csvRows(['q,a\n"one, ""two""\nthree",x\n']))
  expect(rows[1]).toEqual(['one, "two"\nthree', 'x'])
})

test('the first row names the columns, regardless of case, and empty cells are left out', async () => {
  const records = await all(csvRecords(['Question , ANSWER,url\nWhy?,Because.,\n,,\n']))
  expect(records).toEqual([{ question: 'Why?', answer: 'Because.' }])
})

test('a written table can be read back, however it is split into chunks', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', '\t', "'", '=', '-', ' ', 'ä', '😀') })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1 }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, size) => {
        const text = csvText([['x', 'y'], ...rows])
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
          text.slice(n * size, (n + 1) * size),
        )
        const expected = rows
          .map(([x, y]) => ({ x: x.trim(), y: y.trim() }))
          .filter(({ x, y }) => x !== '' || y !== '')
          .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')))
        expect(await all(csvRecords(pieces))).toEqual(expected)
      },
    ),
  )
})

test('no written cell runs as a formula', () => {
  const text = csvText([['=HYPERLINK("http://x")', '+1', '-1', '@a', '\tb', 'fine']])
  expect(text).toBe(`"'=HYPERLINK(""http://x"")",'+1,'-1,'@a,"'\tb",fine\r\n`)
})
