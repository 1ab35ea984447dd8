import { queryClient, readQuery } from '../api.ts'
import type { Messages } from '../messages/words.ts'
import { explain } from './explain.ts'
import { toast } from './toast.tsx'

const READING_MS = 60_000

/** Everything that is kept of a visitor, as a file. */
export async function saveVisitor(botId: string, visitorId: string, messages: Messages) {
  try {
    const params = { botId, visitorId }
    const kept = await queryClient.fetchQuery(
      readQuery('GET /api/manage/v1/bots/{botId}/visitors/{visitorId}', { params }),
    )
    const file = new Blob([JSON.stringify(kept, null, 2)], { type: 'application/json' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = `visitor-${visitorId.replace(/[^\w.-]+/g, '-')}.json`
    link.click()
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), READING_MS)
  } catch (error) {
    toast(explain(error, messages), 'bad')
  }
}
