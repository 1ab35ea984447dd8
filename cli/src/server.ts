import type { Client } from '@docent/sdk'

/** The bot that gets what is imported, and how to reach it. */
export interface Server {
  client: Client
  botId: string
}
