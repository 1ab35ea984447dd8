// The only module that reads the environment.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Merged with a `.env` file in the working directory, like the server's. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}
