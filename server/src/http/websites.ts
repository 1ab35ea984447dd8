import type { FindBot } from '../access/managers.ts'
import type { CountWithin } from '../access/rate-limits.ts'
import { proposeQuestions } from '../bots/suggested-questions.ts'
import type { TryMessage } from '../conversations/answer-message.ts'
import { type PreviewDeps, previewWebsite } from '../sources/website/preview-website.ts'
import type { PassagesTable } from '../storage/passages.ts'
import { hangUpSignal } from './server/event-streams.ts'
import type { Route } from './server/route.ts'

// Each preview calls a few addresses that the caller chooses.
const PREVIEWS = { calls: 20, windowMs: 60_000 }

interface Deps extends PreviewDeps {
  findBot: FindBot
  passages: PassagesTable
  tryMessage: TryMessage
  countWithin: CountWithin
}

export function websiteRoutes(route: Route, deps: Deps) {
  route('POST /api/manage/v1/website-preview', async ({ caller, body }) => {
    const workspaceId = caller.workspaceId ?? 'instance'
    await deps.countWithin([{ name: `website previews ${workspaceId}`, ...PREVIEWS }])
    return previewWebsite(deps, workspaceId, body.url)
  })

  route('POST /api/manage/v1/bots/{botId}/suggested-questions/propose', async ({ caller, params, reply }) => {
    const signal = hangUpSignal(reply)
    return proposeQuestions(deps, await deps.findBot(caller, params.botId), signal)
  })
}
