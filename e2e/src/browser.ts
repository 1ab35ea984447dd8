// A real Chromium: an installed one, preferably the headless shell, which is a quarter faster. If there is none, it is
// installed: from Debian as root, otherwise by Playwright.
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

// Without a GPU, a separate process for it would only pass pictures on.
const PAINTING = ['--disable-gpu', '--in-process-gpu']
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

const INSTALL = `test -e ${PATHS[0]} || {
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell
}`

/** Allow minutes for the first call, which may install Chromium. */
export async function launchBrowser(): Promise<Browser> {
  ensureChromium()
  const executablePath = findChromium()
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: [...PAINTING, ...QUIET, ...sandbox] })
}

function ensureChromium() {
  if (findChromium()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Lock, because two workers may get here at once.
    run('flock', '/usr/bin/apt-get', 'sh', '-c', INSTALL)
  } else {
    run('playwright-core', 'install', 'chromium')
  }
}

function findChromium(): string | undefined {
  return PATHS.find((path) => existsSync(path))
}

function run(command: string, ...args: string[]) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`No Chromium for the browser tests: ${command} ${args.join(' ')} failed`)
}
