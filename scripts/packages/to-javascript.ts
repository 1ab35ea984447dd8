// TypeScript to JavaScript, file by file: types are blanked out, so that line numbers stay, and .ts in imports
// becomes .js.
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ROOT, type Stage } from './stage.ts'

/** Copies a workspace's sources to the same path in the package; imports of other workspaces become relative. */
export function copyAsJavaScript(stage: Stage, folder: string) {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(relative(ROOT, entry.parentPath), entry.name)
    if (/(?<!\.d)\.ts$/.test(path)) {
      const text = toJavaScript(readFileSync(join(ROOT, path), 'utf8'), (workspace) =>
        relative(dirname(path), join(workspace, 'src/index.js')),
      )
      stage.write(path.replace(/\.ts$/, '.js'), text)
    } else if (!path.endsWith('.d.ts')) {
      stage.copy(path)
    }
  }
}

export function toJavaScript(source: string, workspaceEntry: (workspace: string) => string): string {
  return stripTypeScriptTypes(source)
    .replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.js$1')
    .replace(/(['"])@docent\/(contract|sdk)\1/g, (_, quote, workspace) => quote + workspaceEntry(workspace) + quote)
    .replace(/[ \t]+$/gm, '')
}
