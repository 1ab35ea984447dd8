// Common to all packages: a folder with exactly the files that ship, packed by npm.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Manifest {
  name: string
  description: string
  [field: string]: unknown
}

export interface Stage {
  folder: string
  copy(from: string, to?: string, filter?: (path: string) => boolean): void
  write(path: string, text: string): void
}

export const { version, repository } = readManifest('package.json')

export function readManifest(path: string): {
  version: string
  /** npm compares it with the repository that a package's provenance names. */
  repository?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
} {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

/** An empty folder with manifest and licence; sources are relative to the repository root. */
export function makeStage(folder: string, manifest: Manifest): Stage {
  rmSync(folder, { recursive: true, force: true })
  const stage: Stage = {
    folder,
    copy(from, to = from, filter = () => true) {
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      cpSync(resolve(ROOT, from), join(folder, to), { recursive: true, dereference: true, filter })
    },
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
  }
  const common = {
    version,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    ...(repository ? { repository } : {}),
  }
  const { name, description, ...rest } = manifest
  stage.write('package.json', `${JSON.stringify({ name, ...common, description, ...rest }, null, 2)}\n`)
  stage.copy('LICENSE')
  return stage
}

/** Returns the tarball's path, next to the folder. npm's tight compression takes minutes for large packages. */
export function pack({ folder }: Stage, isTight = true): string {
  const target = dirname(folder)
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const tarball = join(target, `${name.replace('@', '').replace('/', '-')}-${version}`)
  if (isTight) {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder, stdio: 'ignore' })
    return `${tarball}.tgz`
  }
  execFileSync('tar', ['-cf', `${tarball}.tar`, '--transform', 's,^\\.,package,', '-C', folder, '.'])
  return `${tarball}.tar`
}
