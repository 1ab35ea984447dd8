// Size of an installation, and seconds until its first answer, from the packed packages and from a clone.
// Uses npm's cache where possible. node lab/performance/install.ts (after npm run build:packages)
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGES = join(ROOT, 'dist/packages')
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')
const place = mkdtempSync(join(tmpdir(), 'docent-install-'))

try {
  if (!existsSync(PACKAGES)) throw new Error('There are no packages: npm run build:packages')
  await measure('packages', (folder) => {
    const tarballs = readdirSync(PACKAGES).filter((name) => /^docent-(docent|runtime).*\.tgz$/.test(name))
    const dependencies = tarballs.map(
      (name) => `"${name.replace(/-\d.*$/, '').replace('docent-', '@docent/')}":"file:${join(PACKAGES, name)}"`,
    )
    sh(`echo '{"private":true,"dependencies":{${dependencies.join()}}}' > package.json`, folder)
    sh('npm install --prefer-offline --no-audit --no-fund --silent', folder)
    return ['node_modules/.bin/docent', 'serve']
  })
  await measure('clone', (folder) => {
    sh(`git clone --quiet --depth 1 file://${ROOT} .`, folder)
    return ['npm', 'start']
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}

function isReady(): Promise<boolean> {
  return fetch('http://127.0.0.1:18081/readyz').then(
    ({ ok }) => ok,
    () => false,
  )
}

async function measure(name: string, install: (folder: string) => string[]) {
  const folder = join(place, name)
  mkdirSync(folder)
  const begin = performance.now()
  const [program = '', ...programArguments] = install(folder)
  const installedAt = performance.now()
  const env = { PATH, HOME: process.env.HOME, PORT: '18081', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  if (await isReady()) throw new Error('Something answers on port 18081 already, and would be measured instead.')
  // Its own process group: npm does not forward signals.
  const child = spawn(program, programArguments, { cwd: folder, env, stdio: 'ignore', detached: true })
  const exit = new Promise((resolve) => child.on('exit', resolve))
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50))
  const ready = performance.now()
  if (child.pid) process.kill(-child.pid, 'SIGTERM')
  await exit
  while (await isReady()) await new Promise((resolve) => setTimeout(resolve, 50))
  const megabytes = execFileSync('du', ['-sm', '--exclude=.git', '--exclude=data', folder], { encoding: 'utf8' }).split(
    '\t',
  )[0]
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
  console.log(
    `${name}: ${megabytes} MB, install ${seconds(begin, installedAt)} s, then ${seconds(installedAt, ready)} s until ready, ` +
      `together ${seconds(begin, ready)} s`,
  )
}

function sh(command: string, cwd: string) {
  execFileSync('sh', ['-c', command], {
    cwd,
    env: { PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
