// The model's report of what it did: read however it is written, and never shown, not even a part of it.
import { expect, test } from 'vitest'
import { makeReportReader } from '../../src/answers/language-model/report.ts'

function read(...deltas: string[]) {
  const reader = makeReportReader()
  const text = deltas.map((delta) => reader.push(delta)).join('') + reader.end()
  return { text: text.trimEnd(), outcome: reader.outcome(), products: reader.products() }
}

const cases: [text: string, shown: string, outcome: string | null, products: number[]][] = [
  ['Three days.\n@@ answered', 'Three days.', 'answered', []],
  ['Three days.\n\n@@ answered P1 P3', 'Three days.', 'answered', [1, 3]],
  ['Three days.\n@@partly', 'Three days.', 'partly', []],
  ['Three days.\n@@ Partially: p2, P2', 'Three days.', 'partly', [2]],
  ['Three days. @@ answered', 'Three days.', 'answered', []],
  ['Three days.\n**@@ answered**', 'Three days.', 'answered', []],
  ['Three days.\n> `@@ not found`', 'Three days.', 'not_found', []],
  ['Three days.\n- @@ not_found', 'Three days.', 'not_found', []],
  // First instead of last, or twice.
  ['@@ answered P1\nThree days.', 'Three days.', 'answered', [1]],
  ['Three days.\n@@ answered\nOr not.\n@@ partly', 'Three days.\nOr not.', 'partly', []],
  // Malformed or translated: hidden, and no report.
  ['Three days.\n@@ beantwortet P1', 'Three days.', null, []],
  ['Three days.\n@@ status = done', 'Three days.', null, []],
  // Set off by other signs.
  ['Three days.\n@@ [answered]', 'Three days.', 'answered', []],
  ['Three days.\n@@ (partly) P2', 'Three days.', 'partly', [2]],
  ['Three days.\n@@: <not found>', 'Three days.', 'not_found', []],
  ['Three days. @@ [answered]', 'Three days.', 'answered', []],
  ['Three days.\n@@ ✅ answered', 'Three days.', 'answered', []],
  // Bare.
  ['Three days.\n@@\n', 'Three days.', null, []],
  ['Three days. @@\nOr four.', 'Three days. Or four.', null, []],
  ['@@\nThree days.', 'Three days.', null, []],
  ['Three days.\n@@ 1', 'Three days.', null, []],
  // In a code block of its own, which goes with it.
  ['Three days.\n```\n@@ answered\n```', 'Three days.', 'answered', []],
  ['Three days.\n\n```text\n\n@@ [answered] P1\n```\n', 'Three days.', 'answered', [1]],
  ['Three days.\n~~~\n@@ beantwortet\n~~~', 'Three days.', null, []],
  ['Three days.\n```\n@@ answered', 'Three days.', 'answered', []],
  ['Run:\n```\nls\n@@ answered\n```', 'Run:\n```\nls\n```', 'answered', []],
  ['Run:\n```\n@@ answered\nls\n```', 'Run:\n```\nls\n```', 'answered', []],
  // Cut off.
  ['Three days.\n@', 'Three days.', null, []],
  ['Three days.\n@@', 'Three days.', null, []],
  ['Three days.\n@@ ans', 'Three days.', null, []],
  ['Three days. @@ not f', 'Three days.', null, []],
  // No reports.
  ['Write to a@shop.example', 'Write to a@shop.example', null, []],
  ['See @shop.', 'See @shop.', null, []],
  ['```\n@@ -1,3 +1,4 @@\n```', '```\n@@ -1,3 +1,4 @@\n```', null, []],
  ['```ruby\n@@count = 1\n```', '```ruby\n@@count = 1\n```', null, []],
  ['Use @@count here', 'Use @@count here', null, []],
  ['```sh\nls\n```\nThat lists files.', '```sh\nls\n```\nThat lists files.', null, []],
  ['```\n```', '```\n```', null, []],
]

test.each(cases)('%j', (text, visibleText, outcome, products) => {
  const expected = { text: visibleText, outcome, products }
  expect(read(text)).toEqual(expected)
  expect(read(...text)).toEqual(expected)
  for (let at = 1; at < text.length; at++) expect(read(text.slice(0, at), text.slice(at))).toEqual(expected)
})

test('an endless report is not kept', () => {
  expect(read('Yes.\n@@ answered', ...Array.from({ length: 10_000 }, () => ' P1'))).toEqual({
    text: 'Yes.',
    outcome: 'answered',
    products: [1],
  })
})

test('text goes out as soon as it cannot be part of the report', () => {
  const reader = makeReportReader()
  expect(reader.push('We ship')).toBe('We ship')
  expect(reader.push(' within\n')).toBe(' within\n')
  expect(reader.push('- ')).toBe('')
  expect(reader.push('3 days')).toBe('- 3 days')
  expect(reader.push('\n@')).toBe('\n')
  expect(reader.push('@ answered')).toBe('')
})
