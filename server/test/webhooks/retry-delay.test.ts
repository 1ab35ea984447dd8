// Retry delays: within their range, never earlier than requested, and limited in number.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/retry-after.ts'
import { retryDelayMs } from '../../src/webhooks/deliver.ts'

const SCHEDULE_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('each delay is within a fifth of its scheduled value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fraction, (attempts, chance) => {
      const delay = retryDelayMs(attempts, null, () => chance) ?? Number.NaN
      const middle = (SCHEDULE_SECONDS[attempts - 1] ?? Number.NaN) * 1000
      expect(delay).toBeGreaterThanOrEqual(middle * 0.8)
      expect(delay).toBeLessThanOrEqual(middle * 1.2)
    }),
  )
})

test('delays are spread over their whole range', () => {
  expect(retryDelayMs(1, null, () => 0)).toBe(4000)
  expect(retryDelayMs(1, null, () => 0.999999)).toBe(6000)
})

test('the tenth attempt is the last', () => {
  expect(retryDelayMs(9, null, () => 0.5)).not.toBeNull()
  expect(retryDelayMs(10, 1000, () => 0.5)).toBeNull()
})

test('an endpoint may ask for more time, up to a day, and not for less', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(), fraction, (attempts, requestedMs, chance) => {
      const ownDelay = retryDelayMs(attempts, null, () => chance) ?? Number.NaN
      const delay = retryDelayMs(attempts, requestedMs, () => chance)
      expect(delay).toBe(Math.max(ownDelay, Math.min(requestedMs, 86_400_000)))
    }),
  )
})

test.each([
  ['120', 120_000],
  ['Sun, 15 Nov 2026 12:01:00 GMT', 60_000],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['9'.repeat(400), null],
  ['', null],
  [undefined, null],
])('Retry-After: %s', (header, delay) => {
  expect(retryAfterMs(header, Date.UTC(2026, 10, 15, 12))).toBe(delay)
})
