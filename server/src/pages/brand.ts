// The dashboard's logo and typeface, on the pages beside it.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { html, once } from './page-html.ts'

export const BRAND = html`<svg class="logo" width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0b6b66"/><path d="M9 8h7a8 8 0 0 1 0 16H9z" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/></svg> Docent`

const BUILT_ASSETS = fileURLToPath(new URL('../../../dashboard/dist/assets/', import.meta.url))
const LATIN = /^inter-latin-wght-normal-.+\.woff2$/

/** Empty without a built dashboard: the system's typeface is used then. */
export const fontFace = once(() => {
  const file = builtFiles().find((name) => LATIN.test(name))
  if (!file) return ''
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url("/assets/${file}") format("woff2")}\n`
})

function builtFiles(): string[] {
  try {
    return readdirSync(BUILT_ASSETS)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return []
  }
}
