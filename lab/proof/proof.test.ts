// The short form of `npm run proof`: the same parts with a fixed seed and few repetitions.
import { describe, expect, test } from 'vitest'
import { engines } from '../../server/test/harness/database/databases.ts'
import { tryEnvironments } from './environments.ts'
import { tryEveryCaller } from './requests/authorisation.ts'
import { keepCredentials } from './requests/credentials.ts'
import { useForeignSessions } from './requests/foreign-sessions.ts'
import { tryHostileMessages } from './requests/hostile-messages.ts'
import { exceedLimits } from './requests/limits.ts'
import { keepPromises } from './requests/promises.ts'
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

  test('one address over many bots, mails to many addresses and calls with many keys stay within their limits', async () => {
    expect((await exceedLimits({ engine, seed: SEED, times: 1 })).problems).toEqual([])
  })

  test('a session id without its token changes nothing in the conversation and reveals nothing of it', async () => {
    expect((await useForeignSessions({ engine, seed: SEED, times: 60 })).problems).toEqual([])
  })

  test('refusals are mirrored with their request, preflights pass for allowed sites only, 4,000 characters fit', async () => {
    expect((await keepPromises({ engine, seed: SEED, times: 30 })).problems).toEqual([])
  })

  test('generated valid and invalid requests are answered as the OpenAPI document declares', async () => {
    const { counts, problems } = await tryRequests({ engine, seed: SEED, times: 150 })
    expect(problems).toEqual([])
    expect(counts['2xx']).toBeGreaterThan(0)
  })

  test('messages of random repeated fragments are all answered, none of them slowly', async () => {
    expect((await tryHostileMessages({ engine, seed: SEED, times: 60 })).problems).toEqual([])
  })

  test('large responses that nobody reads use bounded memory, release it, and hold up nobody else’s', async () => {
    // Other tests may take any part of the machine meanwhile.
    expect((await leaveUnread({ engine, times: 200, maxChatMs: 15_000, unreadSeconds: 5 })).problems).toEqual([])
  })
})

test('placeholders are refused as secrets, and misspelt settings are warned about', async () => {
  expect((await tryEnvironments({ seed: SEED, times: 500 })).problems).toEqual([])
})
