// Every part of the proof, each with its result in a file of its own; started by bench/src/proof.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { type Engine, engines } from '../harness/databases.ts'
import { tryEveryCaller } from './authorisation.ts'
import type { PartResult } from './part.ts'
import { tryRequests } from './requests.ts'

const { seed, requests, folder } = inject('proof')

part('Callers × operations', engines, (engine) => tryEveryCaller({ engine, seed, times: Number.POSITIVE_INFINITY }))
part('Generated requests', engines, (engine) => tryRequests({ engine, seed, times: requests }))

/** A result is written even if there are problems; they are what it is for. */
function part(name: string, on: readonly Engine[], run: (engine: Engine) => Promise<PartResult>) {
  for (const engine of on)
    test(`${name} on ${engine}`, { timeout: 0 }, async () => {
      const started = performance.now()
      const { counts, problems } = await run(engine)
      const seconds = Math.round((performance.now() - started) / 100) / 10
      console.log(`${name} on ${engine}: ${seconds} s, ${problems.length} problems, ${JSON.stringify(counts)}`)
      const file = join(folder, `${Date.now()}-${engine}.json`)
      writeFileSync(file, JSON.stringify({ name, engine, counts, problems, seconds }))
      expect(problems).toEqual([])
    })
}
