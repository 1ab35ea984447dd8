// `vitest run --config` with this one runs the long form; lab/proof/proof.ts says how long in PROOF.
import { defineConfig } from 'vitest/config'

declare module 'vitest' {
  interface ProvidedContext {
    proof: { seed: number; requests: number; kills: number; folder: string }
  }
}

export default defineConfig({
  test: {
    include: ['lab/proof/long-run.ts'],
    globalSetup: 'server/test/harness/database/global-setup.ts',
    pool: 'threads',
    provide: { proof: JSON.parse(process.env.PROOF ?? '{}') },
    hookTimeout: 60_000,
  },
})
