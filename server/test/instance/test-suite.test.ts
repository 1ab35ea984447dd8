// Rules for the tests themselves: a test with a short time limit of its own fails on a busy machine.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const OWN_WAITS = [
  /\bvi\.(waitFor|waitUntil)\(/,
  /expect\s*\.poll\([^;]*?\btimeout:/,
  /new Promise(<\w+>)?\(\((\w+)\) => setTimeout\(\2\b/,
  /from 'node:timers\/promises'/,
]

test('tests wait only through harness/wait.ts', () => {
  const files = globSync(['*/test/**/*.ts', 'lab/proof/**/*.ts'], { cwd: ROOT }).filter(
    (path) => !path.endsWith('/harness/wait.ts') && !path.endsWith('/test-suite.test.ts'),
  )
  expect(files.length).toBeGreaterThan(150)
  const offenders = files.filter((path) => {
    const text = readFileSync(`${ROOT}/${path}`, 'utf8')
    return OWN_WAITS.some((pattern) => pattern.test(text))
  })
  expect(offenders).toEqual([])
})
