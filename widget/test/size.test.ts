// What a visitor downloads before the first word: the script and one language.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { WIDGET_LANGUAGES } from '@docent/contract'
import { expect, test } from 'vitest'

const MAX_BYTES = 15_000
const dist = new URL('../dist/', import.meta.url)
const packedBytes = (name: string) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length

test(`the script and any language have at most ${MAX_BYTES} bytes together, gzipped`, () => {
  const languages = readdirSync(new URL('languages/', dist))
  expect(languages).toHaveLength(WIDGET_LANGUAGES.length)
  const largest = Math.max(...languages.map((name) => packedBytes(`languages/${name}`)))
  expect(packedBytes('widget.js') + largest).toBeLessThanOrEqual(MAX_BYTES)
  expect(packedBytes('docent-chat.js') + largest).toBeLessThanOrEqual(MAX_BYTES)
})

test('what loads when it is used is small as well', () => {
  expect(packedBytes('more.js')).toBeLessThanOrEqual(8000)
})
