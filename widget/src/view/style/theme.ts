// Adjusts the bot's accent colour so that text on it, and text in it, reach WCAG AA contrast.

const MIN_CONTRAST = 4.5

type Rgb = [number, number, number]

export function themeColours(accent: string, isDark: boolean): Record<string, string> {
  const surface: Rgb = isDark ? [24, 26, 29] : [255, 255, 255]
  const colour = rgb(accent)
  // The accent must differ from the panel's background.
  const ground = ensureContrast(colour, surface, 1.5)
  return {
    '--accent': css(ground),
    '--on-accent': contrast(ground, [255, 255, 255]) >= MIN_CONTRAST ? '#fff' : '#000',
    '--ink': css(ensureContrast(colour, surface, MIN_CONTRAST + 0.9)),
  }
}

/** Moves a colour away from the background until the contrast suffices. */
function ensureContrast(colour: Rgb, ground: Rgb, minContrast: number): Rgb {
  const target = luminance(ground) > 0.2 ? 0 : 255
  let now = colour
  while (contrast(now, ground) < minContrast) now = now.map((part) => part + (target - part) * 0.1) as Rgb
  return now
}

export function contrast(first: Rgb, second: Rgb): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function rgb(hex: string): Rgb {
  const value = Number(`0x${hex.slice(1)}`) || 0
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const css = (colour: Rgb) => `rgb(${colour.map(Math.round).join(' ')})`
