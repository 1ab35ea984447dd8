// The only reader of the environment.
import { existsSync, readFileSync } from 'node:fs'

export function serverUrl(): string {
  return process.env.DOCENT_URL ?? 'http://localhost:8080'
}

/** Not on the command line itself, where every user of the machine could read it. */
export function readToken(path: string | undefined): string {
  const file = path ?? 'data/admin-token'
  const fromEnvironment = path ? undefined : process.env.DOCENT_TOKEN
  if (fromEnvironment) return fromEnvironment
  if (!existsSync(file))
    throw new Error(`No token found. Set DOCENT_TOKEN, or pass a file with --token-file (${file} does not exist).`)
  return readFileSync(file, 'utf8').trim()
}
