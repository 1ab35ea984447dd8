// The short form of `npm run proof`: the same parts with a fixed seed and few repetitions.
import { describe, expect, test } from 'vitest'
import { engines } from '../harness/database/databases.ts'
import { tryEveryCaller } from './requests/authorisation.ts'
import { keepCredentials } from './requests/credentials.ts'
import { tryHostileMessages } from './requests/hostile-messages.ts'
import { tryRequests } from './requests/requests.ts'
import { leaveUnread } from './unread-responses.ts'

const SEED = 1

describe.each(engines)('on %s', (engine) => {
  test('every operation admits exactly the callers it must, and treats foreign ids as unknown', async () => {
    expect((await tryEveryCaller({ engine, seed: SEED, times: 300 })).problems).toEqual([])
  })

  test('whoever loses their rights, or prepares an account for somebody else, keeps no way in', async () => {
    expect((await keepCredentials({ engine, seed: SEED, times: 3 })).problems).toEqual([])
  })

  test('generated valid and invalid requests are answered as the OpenAPI document declares', async () => {
    const { counts, problems } = await tryRequests({ engine, seed: SEED, times: 150 })
    expect(problems).toEqual([])
    expect(counts['2xx']).toBeGreaterThan(0)
  })

  test('messages of random repeated fragments are all answered, none of them slowly', async () => {
    expect((await tryHostileMessages({ engine, seed: SEED, times: 60 })).problems).toEqual([])
  })

  test('large responses that nobody reads use bounded memory, which is returned, and keep nobody from theirs', async () => {
    expect((await leaveUnread({ engine, times: 200 })).problems).toEqual([])
  })
})
