import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => 'en' })
afterAll(() => void vi.unstubAllGlobals())
const { formatElapsed } = await import('../src/text/format.ts')

test.each([
  [5, '1 minute'],
  [90, '1 minute'],
  [150, '2 minutes'],
  [3600, '1 hour'],
])('a wait of %i seconds is shown as %s', (seconds, text) => {
  expect(formatElapsed(new Date(Date.now() - seconds * 1000).toISOString())).toBe(text)
})
