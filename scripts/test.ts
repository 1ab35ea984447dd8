// Runs all tests on both databases. Arguments go to Vitest: npm test -- quota
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'docent-results-'))
const results = join(folder, 'results.json')
const { status } = spawnSync(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
try {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'))
  console.log(`${numPassedTests} passed, ${numFailedTests} failed`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = status ?? 1
