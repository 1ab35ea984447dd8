// Printed at start: where things are, and one API call that works as is.

import { relative } from 'node:path'
import { SCREENS } from '@docent/contract'
import type { App } from './app.ts'
import type { Config } from './config.ts'

interface WelcomeDetails {
  config: Config
  port: number
  demo: App['demo']
  setUpToken: App['setUpToken']
  tokenPath: string | null
}

const SET_UP_NOTE = '               (creates your account; works once, within 24 hours)'

export function welcomeText({ config, port, demo, setUpToken, tokenPath }: WelcomeDetails): string {
  const local = `http://localhost:${port}`
  const lines = ['', `  Docent is running at ${local}`, '', `  Dashboard    ${local}/`, `  Docs         ${local}/docs`]
  if (setUpToken) lines.push(`  Set up       ${publicUrl(config, local)}${SCREENS.setUp}#${setUpToken}`, SET_UP_NOTE)
  if (demo) lines.push(`  Demo shop    ${local}/demo`)
  if (tokenPath) lines.push(`  Owner token  in ${displayPath(tokenPath)} (for the management API)`)
  lines.push(`  Data         ${config.databaseUrl ? 'PostgreSQL' : displayPath(config.dataDir)}`, '')
  if (demo) {
    const body = JSON.stringify({ bot_id: demo.botId, message: 'When is standard shipping free?' })
    lines.push(
      '  Ask the demo bot:',
      '',
      `    curl -s ${local}/api/v1/chat \\`,
      `      -H "Authorization: Bearer $(cat ${displayPath(demo.keyPath)})" \\`,
      `      -H "Content-Type: application/json" \\`,
      `      -d '${body}'`,
      '',
    )
  }
  return `${lines.join('\n')}\n`
}

/** The port may have been chosen by the system. */
function publicUrl({ baseUrl, port }: Config, local: string): string {
  return baseUrl === `http://localhost:${port}` ? local : baseUrl
}

function displayPath(path: string): string {
  const nearby = relative(process.cwd(), path)
  return nearby && !nearby.startsWith('..') ? nearby : path
}
