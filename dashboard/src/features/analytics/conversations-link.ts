// Where the conversations behind a figure are listed.
import type { Happening } from '@docent/contract'

export interface Happened {
  had?: Happening
  asked?: string
  since?: string
  until?: string
  /** Whose days these are. */
  tz?: string
}

export function conversationsLink(botId: string, happened: Happened): string {
  return `/bots/${botId}/inbox?${new URLSearchParams({ ...happened })}`
}
