import { spawnSync } from 'node:child_process'

/** Runs a command of node_modules/.bin with its output shown; exits when it fails. */
export function run(command: string, ...given: string[]) {
  const { status } = spawnSync(command, given, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
