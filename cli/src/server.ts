// Connects commands to a running server.
import { existsSync, readFileSync } from 'node:fs'
import { type Client, createClient } from '@docent/sdk'
import { type CommandInput, requireText, type Terminal, text } from './command.ts'

/** The bot that a command is about, and a client for it. */
export interface Server {
  client: Client
  botId: string
}

export const serverOptions = {
  server: { type: 'string' },
  'token-file': { type: 'string' },
} as const

export const botOptions = { ...serverOptions, bot: { type: 'string' } } as const

export const SERVER_USAGE = `  --server <url>       default: DOCENT_URL, else http://localhost:8080
  --token-file <path>  a management token; default: DOCENT_TOKEN, else data/admin-token`

export const BOT_USAGE = `  --bot <id>           the bot (bot_…)
${SERVER_USAGE}`

export function serverUrl(input: CommandInput, { environment }: Terminal): string {
  return text(input, 'server') ?? environment.DOCENT_URL ?? 'http://localhost:8080'
}

export function managementClient(input: CommandInput, terminal: Terminal): Client {
  return createClient({
    baseUrl: serverUrl(input, terminal),
    // An import or a deletion may take minutes.
    timeoutMs: 300_000,
    token: readToken(text(input, 'token-file'), terminal.environment.DOCENT_TOKEN),
  })
}

export function serverOf(input: CommandInput, terminal: Terminal): Server {
  return { botId: requireText(input, 'bot'), client: managementClient(input, terminal) }
}

/** All pages of a list. */
export async function allItems<T>(
  read: (query: { cursor?: string }) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = []
  for (let query: { cursor?: string } | null = {}; query !== null; ) {
    const page: { items: T[]; next_cursor: string | null } = await read(query)
    items.push(...page.items)
    query = page.next_cursor === null ? null : { cursor: page.next_cursor }
  }
  return items
}

/** Not a command line argument, which every user of the machine could read. */
function readToken(path: string | undefined, fromEnvironment: string | undefined): string {
  if (!path && fromEnvironment) return fromEnvironment
  const file = path ?? 'data/admin-token'
  if (!existsSync(file)) throw new Error(`No token: set DOCENT_TOKEN, or pass --token-file (${file} does not exist).`)
  return readFileSync(file, 'utf8').trim()
}
