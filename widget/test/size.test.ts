// What a visitor downloads before the first word: the script, and the language if it is not English.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const MOST_BYTES = 15_000
const MOST_LANGUAGE_BYTES = 750
const dist = new URL('../dist/', import.meta.url)
const packedBytes = (name: string) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length

test(`the script has at most ${MOST_BYTES} bytes, gzipped`, () => {
  expect(packedBytes('widget.js')).toBeLessThanOrEqual(MOST_BYTES)
  expect(packedBytes('docent-chat.js')).toBeLessThanOrEqual(MOST_BYTES)
})

test(`each language adds at most ${MOST_LANGUAGE_BYTES} bytes, gzipped`, () => {
  const sizes = readdirSync(new URL('languages/', dist)).map((name) => packedBytes(`languages/${name}`))
  expect(sizes).toHaveLength(12)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_LANGUAGE_BYTES)
})
