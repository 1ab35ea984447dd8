// Where the widget is: the owner of a bot sees that it was installed.
import type { BotsTable } from '../../storage/bots/bots.ts'
import { createTtlCache } from '../../ttl-cache.ts'

const AGAIN_MS = 3_600_000
const BOTS_REMEMBERED = 10_000
const LONGEST_ORIGIN = 300

interface Deps {
  bots: Pick<BotsTable, 'noteWidgetSeen'>
  /** Pages of our own, such as the preview. */
  ownOrigins: string[]
  clock: () => number
  onError: (error: unknown) => void
}

export function createNoteWidget({ bots, ownOrigins, clock, onError }: Deps) {
  const noted = createTtlCache<true>({ ttlMs: AGAIN_MS, maxEntries: BOTS_REMEMBERED, clock })

  return (botId: string, origin: string | undefined) => {
    if (
      !origin ||
      !/^https?:\/\/[\w.:[\]-]+$/.test(origin) ||
      !URL.canParse(origin) ||
      origin.length > LONGEST_ORIGIN ||
      ownOrigins.includes(origin)
    )
      return
    noted
      .read(`${botId} ${origin}`, async () => {
        await bots.noteWidgetSeen(botId, origin, clock())
        return true
      })
      .catch(onError)
  }
}
