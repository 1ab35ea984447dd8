// Makes the pictures of every screen in docs/images/dashboard anew, wide in light and phone in dark:
// `npm run screenshots -w e2e`, after `npm test` or `npm start` has built the pages.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from './browser.ts'
import { openPage } from './dashboard.ts'
import { screensOf, startFurnishedBot } from './furnished-bot.ts'
import { showTheme } from './look-at-page.ts'
import { walker } from './walk.ts'

const folder = fileURLToPath(new URL('../../docs/images/dashboard/', import.meta.url))
const looks = [
  { name: '1440', viewport: { width: 1440, height: 900 }, theme: 'light' },
  { name: '390', viewport: { width: 390, height: 844 }, theme: 'dark' },
] as const

const ends: (() => unknown)[] = []
const browser = await launchBrowser()
const server = await startFurnishedBot((stop) => ends.push(stop))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
let bytes = 0
for (const { name, viewport, theme } of looks) {
  const { page, context, baseUrl } = await openPage(browser, server.baseUrl, { cookie: server.cookie, viewport })
  await context.clock.setFixedTime(server.clock.now)
  const { goTo } = walker(page, baseUrl)
  for (const [screen, place] of Object.entries(screensOf(server))) {
    await goTo(place)
    await showTheme(page, theme)
    const path = `${folder}${screen}-${name}.jpg`
    await page.screenshot({ path, type: 'jpeg', quality: 60 })
    bytes += statSync(path).size
  }
  await context.close()
}
await browser.close()
for (const end of ends) await end()
console.log(`${bytes} bytes in ${folder}`)
