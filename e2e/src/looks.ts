// Checks each look only once: the colours and sizes of an element and its ancestors. Lists repeat their rows and
// screens their frame, and axe would spend most of its time on them.
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { AXE_OPTIONS, describeViolations, injectAxe } from './axe.ts'

export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Hashes of the looks checked so far. */
export type Looks = Set<number>

interface Options {
  /** Null means all rules. */
  rules?: string[] | null
  /** Removes repeated elements, which makes axe faster; the page is unusable afterwards. */
  mayRemove?: boolean
}

/** Violations in elements with a new look. */
export async function newLookViolations(page: Page, looks: Looks, options: Options = {}): Promise<string[]> {
  const { rules = COLOUR_RULES, mayRemove = false } = options
  await injectAxe(page)
  const { seenLooks, violations } = await page.evaluate(
    async ([knownLooks, runOptions, remove]) => {
      const seenLooks = new Set(knownLooks)
      const repeatedElements: Element[] = []

      /** Whether the whole element was seen before. */
      function visit(element: Element, around: number): boolean {
        const style = getComputedStyle(element)
        const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, textDecorationLine } = style
        const isDisabled = element.matches(':disabled, [aria-disabled=true]')
        const isWider = element.scrollWidth > element.clientWidth
        const state = [isDisabled, isWider, element.checkVisibility(), style.visibility]
        const ownStyle = [
          element.localName,
          element.getAttribute('class'),
          color,
          backgroundColor,
          backgroundImage,
          opacity,
        ]
        const look = hash([around, ...ownStyle, fontSize, fontWeight, textDecorationLine, ...state].join())
        let isRepeated = seenLooks.has(look) && !element.shadowRoot
        seenLooks.add(look)
        const before = repeatedElements.length
        for (const child of element.children) isRepeated = visit(child, look) && isRepeated
        if (isRepeated) repeatedElements.splice(before, repeatedElements.length, element)
        return isRepeated
      }

      function hash(text: string): number {
        let value = 0
        for (let at = 0; at < text.length; at++) value = (value * 131 + text.charCodeAt(at)) % 0xfffffffffb
        return value
      }

      if (visit(document.body, 0)) return { seenLooks: [...seenLooks], violations: [] }
      if (remove) for (const element of repeatedElements) element.remove()
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        { include: [document.documentElement], exclude: remove ? [] : repeatedElements },
        runOptions,
      )
      return { seenLooks: [...seenLooks], violations }
    },
    [[...looks], { ...AXE_OPTIONS, ...(rules ? { runOnly: rules } : {}) }, mayRemove] as const,
  )
  for (const look of seenLooks) looks.add(look)
  return describeViolations(violations)
}
