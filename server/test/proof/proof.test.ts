// The short form of `npm run proof`: the same parts with a fixed seed and few repetitions.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { tryEveryCaller } from './requests/authorisation.ts'
import { tryRequests } from './requests/requests.ts'

const SEED = 1

describe.each(engines)('on %s', (engine) => {
  test('every operation admits exactly the callers it must, and treats foreign ids as unknown', async () => {
    expect((await tryEveryCaller({ engine, seed: SEED, times: 300 })).problems).toEqual([])
  })

  test('generated valid and invalid requests are answered as the OpenAPI document declares', async () => {
    const { counts, problems } = await tryRequests({ engine, seed: SEED, times: 150 })
    expect(problems).toEqual([])
    expect(counts['2xx']).toBeGreaterThan(0)
  })
})
