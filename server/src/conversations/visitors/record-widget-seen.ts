// Records where the widget was last seen, so that owners see that it is installed.
import type { BotsTable } from '../../storage/bots.ts'

const AGAIN_MS = 3_600_000
// A new site counts sooner: owners who move from a test page to the real one check at once. Still rate-limited, because
// anybody can claim any site.
const OTHER_SITE_MS = 60_000
const BOTS_REMEMBERED = 10_000
const LONGEST_ORIGIN = 300

interface Deps {
  bots: Pick<BotsTable, 'recordWidgetSeen'>
  /** Our own pages, such as the preview. */
  ownOrigins: string[]
  clock: () => number
  onError: (error: unknown) => void
}

export function createRecordWidgetSeen({ bots, ownOrigins, clock, onError }: Deps) {
  const noted = new Map<string, { origin: string; at: number }>()

  return (botId: string, origin: string | undefined) => {
    if (
      !origin ||
      !/^https?:\/\/[\w.:[\]-]+$/.test(origin) ||
      !URL.canParse(origin) ||
      origin.length > LONGEST_ORIGIN ||
      ownOrigins.includes(origin)
    )
      return
    const now = clock()
    const last = noted.get(botId)
    // Also when the clock was set back.
    if (last && Math.abs(now - last.at) < (last.origin === origin ? AGAIN_MS : OTHER_SITE_MS)) return
    if (noted.size >= BOTS_REMEMBERED) noted.clear()
    noted.set(botId, { origin, at: now })
    bots.recordWidgetSeen(botId, origin, now).catch((error) => {
      noted.delete(botId)
      onError(error)
    })
  }
}
