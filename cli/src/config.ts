// The only reader of the environment.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Completed by a `.env` file in the working directory, as the server's is. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}
