// npm test: everything a change must pass. The quick checks come first, so that they fail fast: format, lint, types, dead
// code, generated files, licences. Then all tests, on both databases.
// With arguments, only Vitest runs, and gets them: npm test -- quota
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CHECKS = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', '.'],
  ['knip'],
  ['node', 'scripts/generate.ts', '--check'],
  ['node', 'scripts/licences.ts', '--check'],
]

const filters = process.argv.slice(2)
const failedChecks = filters.length > 0 ? [] : (await Promise.all(CHECKS.map(check))).filter((name) => name !== null)
if (failedChecks.length > 0) {
  console.error(`failed: ${failedChecks.join(', ')}`)
  process.exit(1)
}
process.exitCode = runTests(filters)

/** Its name if it fails; only then does its output matter. */
function check([command = '', ...args]: string[]): Promise<string | null> {
  const child = spawn(command, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      const name = [command, ...args].join(' ')
      console.log(`${status === 0 ? 'ok' : 'FAILED'}: ${name}`)
      if (status !== 0) console.error(output)
      resolve(status === 0 ? null : name)
    })
  })
}

function runTests(args: string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'docent-results-'))
  const results = join(folder, 'results.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const { status } = spawnSync('vitest', ['run', ...reporters, ...args], { stdio: 'inherit' })
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'))
    console.log(`${numPassedTests} passed, ${numFailedTests} failed`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return status ?? 1
}
