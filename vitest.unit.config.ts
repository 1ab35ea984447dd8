// The fast tier, `npm run test:unit`: every test that starts no server, no browser and no database.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

const STARTS_SOMETHING =
  /\/(start-server|start-process|spawn-server|databases|storage|start-models)\.ts$|^node:(http|child_process)$|playwright/

export default defineConfig({
  test: {
    ...config.test,
    include: globSync(config.test?.include ?? []).filter((path) => !startsSomething(path)),
    globalSetup: [],
  },
})

/** Looks at what a test imports, directly and through files of the harness. */
function startsSomething(path: string): boolean {
  if (path.startsWith('e2e/')) return true
  const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm)
  return [...imports].some(([, from = '']) => {
    if (STARTS_SOMETHING.test(from)) return true
    const target = join(dirname(path), from)
    return from.startsWith('.') && /\/test\/|^lab\//.test(target) && startsSomething(target)
  })
}
