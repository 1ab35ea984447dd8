import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*/test/**/*.test.ts'],
    globalSetup: 'server/test/harness/global-setup.ts',
    pool: 'threads',
    maxWorkers: 2,
    // What is loaded and compiled for one file serves the next; no test changes a module.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
