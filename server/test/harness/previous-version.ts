// The previous version of the server, checked out from the history beside this clone, with the packages of this clone.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Names the version that nodes run beside this one during an upgrade. Changed with every release. */
const { version, commit } = JSON.parse(
  readFileSync(new URL('../previous-version.json', import.meta.url), 'utf8'),
) as Record<'version' | 'commit', string>

export const previousVersion = `${version} (${commit.slice(0, 8)})`

/** Why it cannot be run here; null: it can. */
export function whyNoPreviousVersion(): string | null {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT })
  return status === 0 ? null : `the history of this clone does not have version ${previousVersion}`
}

/** Returns the path of its main file. It is removed when the test has finished. */
export function checkOutPreviousVersion(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-previous-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const parts = ['package.json', 'server', 'contract', 'docs', 'demo', 'widget', 'sdk']
  const archive = execFileSync('git', ['archive', commit, ...parts], { cwd: ROOT, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  linkPackages(folder)
  return join(folder, 'server/src/main.ts')
}

/** Links all packages but our own, which are those of the previous version. */
function linkPackages(folder: string) {
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@docent'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@docent' && !name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of ['contract', 'server', 'sdk', 'widget'])
    symlinkSync(join(folder, name), join(packages, '@docent', name))
}
