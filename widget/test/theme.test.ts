import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, rgb, themeColours } from '../src/view/style/theme.ts'

type Rgb = Parameters<typeof contrast>[0]

function read(colour = ''): Rgb {
  if (colour === '#fff') return [255, 255, 255]
  if (colour === '#000') return [0, 0, 0]
  return (colour.match(/\d+/g) ?? []).map(Number) as Rgb
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('whatever colour a bot has, text on it and text in it can be read, in both themes', () => {
  fc.assert(
    fc.property(hex, fc.boolean(), (colour, isDark) => {
      const { '--accent': accent, '--on-accent': onAccent, '--ink': ink } = themeColours(colour, isDark)
      const soft: Rgb = isDark ? [36, 40, 44] : [243, 244, 246]
      expect(contrast(read(onAccent), read(accent))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(read(ink), soft)).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 2000 },
  )
})

test('the contrast is that of WCAG', () => {
  expect(contrast(rgb('#767676'), rgb('#ffffff'))).toBeCloseTo(4.54, 2)
  expect(contrast(rgb('#000000'), rgb('#ffffff'))).toBe(21)
})
