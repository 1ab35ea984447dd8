// Runs the steps of deploy/Dockerfile without a container engine: each stage is a folder, COPY copies, RUN runs there as
// nobody (when started by root). Skips the last stage's RUN, which creates a user. Then starts and tests the entry
// point. node scripts/try-dockerfile.ts
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOBODY = 65_534
const place = mkdtempSync(join(tmpdir(), 'docent-image-'))
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
const environment = { PATH: path.join(':'), HOME: place }
const give = (folder: string) => asNobody.uid && chownSync(folder, NOBODY, NOBODY)
const sh = (command: string, cwd: string) => {
  console.log(`  ${command}`)
  execFileSync('sh', ['-c', command], { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'], ...asNobody })
}

try {
  give(place)
  const stages = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    .split(/^(?=FROM )/m)
    .slice(1)
  let image = ''
  const last = stages.length - 1
  let lines: string[] = []
  for (const [index, stage] of stages.entries()) {
    lines = stage.split('\n').filter((line) => /^[A-Z]+ /.test(line))
    image = join(place, /AS (\w+)/.exec(lines[0] ?? '')?.[1] ?? 'final')
    make(image)
    console.log(lines[0])
    let workdir = image
    for (const line of lines.slice(1)) {
      const [, word, rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
      if (word === 'WORKDIR') workdir = join(image, rest)
      if (word === 'WORKDIR') make(workdir)
      if (word === 'COPY') copy(rest, image, workdir)
      if (word === 'RUN' && index < last) sh(rest, workdir)
    }
  }
  await tryEntryPoint(image, lines)
} finally {
  rmSync(place, { recursive: true, force: true })
}

function make(folder: string) {
  mkdirSync(folder, { recursive: true })
  give(folder)
}

/** `.` means the files git tracks, which .dockerignore leaves. */
function copy(rest: string, image: string, workdir: string) {
  const [, from, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(rest) ?? []
  const to = target.startsWith('/') ? join(image, target) : join(workdir, target)
  make(target.endsWith('/') ? to : dirname(to))
  if (from) return sh(`cp -R ${join(place, from, source)} ${to}`, place)
  execFileSync('sh', ['-c', `git ls-files -co --exclude-standard -z | tar --null -T - -c | tar -x -C ${to}`], {
    cwd: ROOT,
  })
  if (asNobody.uid) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, to])
}

async function tryEntryPoint(image: string, lines: string[]) {
  const words = (word: string): string[] =>
    JSON.parse(lines.find((line) => line.startsWith(word))?.slice(word.length) ?? '')
  const [program = '', ...args] = [...words('ENTRYPOINT'), ...words('CMD')].map((word) =>
    word.startsWith('/') ? join(image, word) : word,
  )
  const data = join(image, 'data')
  make(data)
  const env = { ...environment, DATA_DIR: data, HOST: '127.0.0.1', PORT: '18080', LOG_LEVEL: 'warn' }
  const child = spawn(program, args, { cwd: data, env, stdio: ['ignore', 'ignore', 'inherit'], ...asNobody })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch('http://127.0.0.1:18080/readyz').catch(() => null)
    if (answer?.ok) console.log('ready:', JSON.stringify(await answer.json()))
    if (answer?.ok) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  console.log(
    execFileSync('du', ['-sm', join(image, 'app')], { encoding: 'utf8' }).split('\t')[0],
    'MB beside the base image',
  )
  child.kill('SIGTERM')
  console.log('stopped with exit code', await exited)
}
