// Installs into a staging folder and then swaps it in: a running server never sees its packages missing.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In node_modules: the installed lock file and scope. */
export const MARKER = '.docent-installed'
const STAGING = '.install.'
const MOST_TRIES = 5

/** Returns npm's exit status. */
export function installAside(root, options, mark) {
  removeAbandoned(root)
  const staging = join(root, `${STAGING}${process.pid}`)
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  try {
    // What npm reads. Workspace links are relative, so they work in either folder.
    copy(root, staging, ['package.json', 'package-lock.json', '.npmrc'])
    for (const name of workspaces) {
      copy(root, staging, [join(name, 'package.json')])
      const { bin = {} } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
      // npm links only commands whose file is there.
      copy(
        root,
        staging,
        Object.values(bin).map((file) => join(name, file)),
      )
    }
    const status = npmCi(staging, options)
    if (status !== 0) return status
    writeFileSync(join(staging, 'node_modules', MARKER), mark)
    const folders = [...workspaces, ''].map((name) => join(name, 'node_modules'))
    if (folders.every((folder) => swap(join(staging, folder), join(root, folder)))) return 0
    // A mount point, for instance, cannot be moved.
    const inPlace = npmCi(root, options)
    if (inPlace === 0) writeFileSync(join(root, 'node_modules', MARKER), mark)
    return inPlace
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

function npmCi(cwd, options) {
  const stdio = ['ignore', 'ignore', 'inherit']
  return spawnSync('npm', ['ci', '--no-progress', ...options], { cwd, stdio }).status ?? 1
}

function copy(from, to, paths) {
  for (const path of paths) cpSync(join(from, path), join(to, path))
}

/** Two renames. Retried, as another install may interfere; false where the folder cannot be moved. */
function swap(fresh, place) {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      if (existsSync(place)) renameSync(place, `${fresh}.${tries}`)
      if (existsSync(fresh)) renameSync(fresh, place)
      return true
    } catch (error) {
      if (error.code === 'EBUSY' || error.code === 'EXDEV') return false
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
    }
  }
  return false
}

/** Left by killed installs. */
function removeAbandoned(root) {
  for (const name of readdirSync(root)) {
    if (name.startsWith(STAGING) && !isRunning(Number(name.slice(STAGING.length))))
      rmSync(join(root, name), { recursive: true, force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
