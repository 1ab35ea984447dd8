// The main colour of a site: the one it declares, otherwise the one that its styles use most.

const DECLARATION = /(?<![\w-])([\w-]{1,60})\s{0,5}:\s{0,5}([^;{}]{1,200})/g
const COLOUR = /#[0-9a-f]{3,8}\b|rgba?\([^()]{5,40}\)/gi
const BRAND_VARIABLE = /^--.*(?:brand|primary|accent|main|theme)/i
/** How far the strongest channel is from the weakest: less looks grey. */
const LEAST_CHROMA = 48
/** Of white: lighter colours cannot carry a button. */
const LIGHTEST = 0.7

/** Runs in a parser thread, for styles are long. */
export function siteColour(declaredColours: readonly string[], styles: string): string | null {
  const brandColour = declaredColours.flatMap((text) => toHex(text.trim()) ?? []).find(isBrandColour)
  return brandColour ?? mostUsed(styles)
}

function mostUsed(styles: string): string | null {
  const weights = new Map<string, number>()
  for (const [, property = '', value = ''] of styles.matchAll(DECLARATION)) {
    const weight = BRAND_VARIABLE.test(property) ? 30 : property.startsWith('background') ? 3 : 1
    for (const [text] of value.matchAll(COLOUR)) {
      const hex = toHex(text)
      if (hex && isBrandColour(hex)) weights.set(hex, (weights.get(hex) ?? 0) + weight)
    }
  }
  return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** `#abc`, `#aabbcc` and `rgb(…)` as `#aabbcc`; transparent and other colours are null. */
export function toHex(text: string): string | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase()
  if (hex) return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
  const channels = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(text)?.slice(1).map(Number)
  if (!channels || channels.some((channel) => channel > 255)) return null
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function isBrandColour(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const chroma = Math.max(red, green, blue) - Math.min(red, green, blue)
  const brightness = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
  return chroma >= LEAST_CHROMA && brightness <= LIGHTEST
}
