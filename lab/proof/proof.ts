// Extended randomized run of the tested guarantees, as long as asked; writes lab/reports/proof.md.
//   npm run proof -- --requests 100000 --kills 200 --seed 7 [--parts 'kill|disk']
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Result {
  name: string
  engine: string
  counts: Record<string, number>
  problems: string[]
  seconds: number
  notRun?: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Known limits of the parts. */
const NOT_TRIED = `- Power cuts: processes are killed, not machines, and the PostgreSQL of the proof runs without fsync.
- Environments are read in one process, by the function that the server starts with.
- The clock of the system: jumps go through the server's own clock, in one process.
- Callers who may remove something are let in with an unknown id, so that the next ones find it; real removals are tested
  in \`server/test/access/roles.test.ts\`.
- The quota after kills: held between the calls answered and the calls sent, for a call cut off may or may not have counted.
- Models: kills under syncs, the full disk and generated requests run with \`EMBEDDINGS=off\`.`
const REPORT = join(ROOT, 'lab/reports/proof.md')
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '6' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** A regular expression: runs only matching parts and prints the report. */
    parts: { type: 'string' },
  },
})
const [requests, kills, seed] = [values.requests, values.kills, values.seed].map(Number) as [number, number, number]
const folder = mkdtempSync(join(tmpdir(), 'docent-proof-'))
const startedAt = Date.now()
const config = ['run', '--config', 'lab/proof/vitest.config.ts', '--root', ROOT]
const { status } = spawnSync('vitest', [...config, ...(values.parts ? ['-t', values.parts] : [])], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, PROOF: JSON.stringify({ seed, requests, kills, folder }) },
})
try {
  const results = readdirSync(folder)
    .sort()
    .map((file): Result => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  if (values.parts) console.log(`${report(results)}\nNot all parts were run, so lab/reports/proof.md stays as it is.`)
  else writeFileSync(REPORT, report(results))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = status ?? 1

function report(results: Result[]): string {
  const problems = results.flatMap((result) => result.problems.map((text) => `- ${result.name}: ${text}`))
  const notRun = results.flatMap(({ name, notRun }) => (notRun ? [`- ${name}: ${notRun}`] : []))
  const rows = results.map(
    ({ name, engine, counts, problems, seconds }) =>
      `| ${name} | ${engine} | ${countsText(counts)} | ${problems.length} | ${seconds} s |`,
  )
  return `# Proof

What \`npm run proof\` last found. Every part asks the real server; the guarantees are those that the tests hold, tried at
random and for longer. The seed repeats the requests; when a kill falls is up to the machine.

- Command: \`npm run proof -- --requests ${requests} --kills ${kills} --seed ${seed}\`
- Date: ${new Date(startedAt).toISOString().slice(0, 16)} UTC, ${Math.round((Date.now() - startedAt) / 1000)} s in all
- Machine: ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'} (${platform()} ${arch()}), ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}

| part | on | tried | problems | took |
|---|---|---|---:|---:|
${rows.join('\n')}

## Problems

${problems.join('\n') || 'None.'}

## Not run

${[...notRun, NOT_TRIED].join('\n')}
`
}

function countsText(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')
}
