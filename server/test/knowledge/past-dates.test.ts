import { expect, test } from 'vitest'
import { isPastHeading } from '../../src/language/past-dates.ts'

const NOW = Date.UTC(2026, 10, 18)

test.each([
  ['Opening hours 2023', true],
  ['Certified by ISO 27001:2022', false],
  ['DIN EN 71-1:2018', false],
  ['Windows Server 2019', false],
  ['Prices of Office 2021 in 2024', true],
  ['Opening hours 2026', false],
])('"%s" names only years that are over: %s', (heading, isPast) => {
  expect(isPastHeading(heading, NOW)).toBe(isPast)
})
