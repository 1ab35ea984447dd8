// A real Chromium: the machine's own, best the one without windows, which is a quarter quicker; on Debian as root
// installed when absent; elsewhere Playwright's.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const QUIET = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync']

const INSTALL = `test -e ${PATHS[0]} || {
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell
}`

/** The first call on a machine may install Chromium, so give it minutes. */
export async function launchBrowser(): Promise<Browser> {
  provideChromium()
  const executablePath = findChromium()
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: [...QUIET, ...sandbox] })
}

function provideChromium() {
  if (findChromium()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // One at a time: two workers may come here at once.
    run('flock', '/usr/bin/apt-get', 'sh', '-c', INSTALL)
  } else {
    run('playwright-core', 'install', 'chromium')
  }
}

function findChromium(): string | undefined {
  return PATHS.find((path) => existsSync(path))
}

function run(command: string, ...given: string[]) {
  const { status } = spawnSync(command, given, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`No Chromium for the browser tests: ${command} ${given.join(' ')} failed`)
}
