import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They take longest, and the last of them must not run alone when all others are done. */
class BrowserTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const inBrowser = sorted.filter(({ moduleId }) => moduleId.includes('/e2e/'))
    return [...new Set([...inBrowser, ...sorted])]
  }
}

export default defineConfig({
  test: {
    include: ['*/test/**/*.test.ts'],
    globalSetup: 'server/test/harness/global-setup.ts',
    pool: 'threads',
    maxWorkers: 2,
    // What is loaded and compiled for one file serves the next; no test changes a module.
    isolate: false,
    sequence: { sequencer: BrowserTestsFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
