// The node_modules folders that some packages need, from the lock file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './stage.ts'

interface Locked {
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Without platform-specific packages, which are optional dependencies. */
export function installedFor(names: string[]): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const paths = new Set<string>()
  const open = names.map((name) => ({ name, from: '' }))
  for (let next = open.pop(); next; next = open.pop()) {
    const path = resolvePath(packages, next.name, next.from)
    if (!path || paths.has(path) || !existsSync(join(ROOT, path))) continue
    paths.add(path)
    const { dependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) open.push({ name, from: path })
  }
  // A nested folder is copied with its parent.
  return [...paths].filter((path) => ![...paths].some((other) => path.startsWith(`${other}/`))).sort()
}

/** Node's resolution: in the package, then in the folders above it. */
function resolvePath(packages: Record<string, Locked>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}
