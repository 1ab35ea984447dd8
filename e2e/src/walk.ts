// Navigates between screens without reloading the dashboard, like a user.
import type { Page } from 'playwright-core'
import { finishAnimations } from './look-at-page.ts'

/** Waits until everything a screen requested has arrived. */
export function makeNavigator(page: Page, baseUrl: string) {
  const openRequests = new Set<unknown>()
  page.on('request', (request) => !request.url().endsWith('/events') && openRequests.add(request))
  page.on('requestfinished', (request) => openRequests.delete(request))
  page.on('requestfailed', (request) => openRequests.delete(request))

  async function settle() {
    await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor()
    // Twice, because responses may cause further requests.
    for (let quiet = 0; quiet < 2; quiet = openRequests.size === 0 ? quiet + 1 : 0) {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20))))
    }
    await finishAnimations(page)
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
