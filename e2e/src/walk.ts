// From screen to screen without loading the dashboard anew, as people go.
import type { Page } from 'playwright-core'
import { stillness } from './look-at-page.ts'

/** Tells when all that the screen asked for is there. */
export function walker(page: Page, baseUrl: string) {
  const open = new Set<unknown>()
  page.on('request', (request) => !request.url().endsWith('/events') && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))

  async function settle() {
    await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor()
    // Twice: what has come may make the screen ask for more.
    for (let quiet = 0; quiet < 2; quiet = open.size === 0 ? quiet + 1 : 0) {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))))
    }
    await stillness(page)
  }

  return {
    settle,
    async goTo(place: string) {
      if (page.url().startsWith(baseUrl) && !place.includes('#')) {
        await page.evaluate((to) => history.pushState({}, '', to), place)
      } else await page.goto(baseUrl + place)
      await settle()
    },
  }
}
