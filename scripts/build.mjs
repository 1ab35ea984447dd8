// Builds the pages whose sources have changed. Runs on whatever Node bootstraps npm, so plain
// JavaScript; the builds themselves run on the pinned one.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, root } from './dependencies.mjs'

/** Each has a `build` script that accepts `--outDir`. */
const BUILT = ['dashboard', 'widget']
const LEFT_OUT = ['node_modules', 'dist', 'test']

export function buildPages() {
  for (const workspace of BUILT) {
    const stamp = stampOf(workspace)
    const marker = join(root, workspace, 'dist', '.stamp')
    if (existsSync(marker) && readFileSync(marker, 'utf8') === stamp) continue
    console.error(`Building the ${workspace} …`)
    build(workspace, stamp)
  }
}

/** Builds aside and then swaps: an interrupted build, or two at once, leave nothing half-written. */
function build(workspace, stamp) {
  const cwd = join(root, workspace)
  const fresh = `dist.${process.pid}`
  const command = `${packageOf(workspace).scripts.build} --outDir ${fresh}`
  const { status } = spawnSync(command, {
    cwd,
    shell: true,
    env: environment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    rmSync(join(cwd, fresh), { recursive: true, force: true })
    console.error(`The ${workspace} could not be built; see the lines above.`)
    process.exit(status ?? 1)
  }
  writeFileSync(join(cwd, fresh, '.stamp'), stamp)
  rmSync(join(cwd, 'dist'), { recursive: true, force: true })
  renameSync(join(cwd, fresh), join(cwd, 'dist'))
}

/** Changes with any source of the workspace, of those it imports, or with a package. */
function stampOf(workspace) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const path of withImported(workspace).flatMap((each) => filesUnder(each)))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function withImported(workspace) {
  const names = Object.keys(packageOf(workspace).dependencies ?? {}).filter((name) => name.startsWith('@docent/'))
  return [workspace, ...names.flatMap((name) => withImported(name.slice('@docent/'.length)))]
}

function packageOf(workspace) {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}

function filesUnder(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries
    .filter(({ name }) => !LEFT_OUT.includes(name) && !name.startsWith('dist.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
}
