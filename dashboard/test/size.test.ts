import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TEAM_LANGUAGES } from '@docent/contract'
import { expect, test } from 'vitest'

const BUDGET_BYTES = 250_000
const assets = fileURLToPath(new URL('../dist/assets/', import.meta.url))
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))

/** A script and all that it imports at once. */
function withImports(name: string, names = new Set<string>()): Set<string> {
  if (names.has(name)) return names
  names.add(name)
  const text = readFileSync(assets + name, 'utf8')
  for (const [, importedName = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
    withImports(importedName, names)
  return names
}

function named(start: string): string {
  const matchingScripts = scripts.filter((name) => name.startsWith(`${start}-`))
  expect(matchingScripts, start).toHaveLength(1)
  return matchingScripts[0] ?? ''
}

const languages = Object.keys(TEAM_LANGUAGES)

test.each(['home-page', 'bots-page'].flatMap((page) => languages.map((language) => [page, language] as const)))(
  `the first load of %s takes at most ${BUDGET_BYTES / 1000} kB of JavaScript, gzipped: %s`,
  (page, language) => {
    const scriptNames = new Set<string>()
    for (const start of ['index', page, language]) withImports(named(start), scriptNames)
    const total = [...scriptNames].reduce((sum, name) => sum + statSync(`${assets}${name}.gz`).size, 0)
    // A reader that understands nothing would find it small.
    expect(scriptNames.size).toBeGreaterThan(10)
    expect(total).toBeGreaterThan(100_000)
    expect(total).toBeLessThanOrEqual(BUDGET_BYTES)
  },
)

test('no page comes with the first load', () => {
  const first = [...withImports(named('index'))]
  expect(first.filter((name) => /^(playground|account|api-keys|deliveries)-page-/.test(name))).toEqual([])
})

test('no language comes with another', () => {
  const first = (language: string) => [...withImports(named(language))].filter((name) => /^[a-z]{2}-/.test(name))
  expect(languages.map(first)).toEqual(languages.map((language) => [named(language)]))
})
