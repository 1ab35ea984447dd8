import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { WAIT_TIMEOUT_MS } from './server/test/harness/wait.ts'

const LONGEST = [
  '/server/test/storage/durability.',
  '/lab/proof/',
  '/server/test/instance/guides.',
  '/server/test/instance/npm-scripts.',
  '/server/test/instance/upgrades.',
  '/server/test/knowledge/index.',
  '/e2e/test/dashboard-pages.',
  '/server/test/crawl/',
  '/e2e/',
]

/** Else the last of them would run alone when all others are done. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const longest = LONGEST.flatMap((part) => sorted.filter(({ moduleId }) => moduleId.includes(part)))
    return [...new Set([...longest, ...sorted])]
  }
}

export default defineConfig({
  test: {
    // Servers start threads, each of which would compile its modules anew: a third of the work of many tests.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/docent', import.meta.url)) },
    include: ['*/test/**/*.test.ts', 'lab/**/*.test.ts'],
    globalSetup: 'server/test/harness/database/global-setup.ts',
    pool: 'threads',
    // One more than the processors that a small machine has: a third of the time, tests wait. With two more, browsers
    // and servers only get in each other's way.
    maxWorkers: 3,
    // What is loaded and compiled for one file serves the next; no test changes a module.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Several waits, each of which tells what did not happen before the test ends.
    testTimeout: 5 * WAIT_TIMEOUT_MS,
    hookTimeout: 5 * WAIT_TIMEOUT_MS,
    expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
  },
})
