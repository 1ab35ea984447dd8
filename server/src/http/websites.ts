import { proposeQuestions } from '../bots/suggested-questions.ts'
import type { Context } from '../context.ts'
import { previewWebsite } from '../sources/website/preview-website.ts'
import type { Modules } from './modules.ts'
import { hangUpSignal } from './server/event-streams.ts'
import type { Route } from './server/route.ts'

// Each preview calls a few addresses that the caller chooses.
const PREVIEWS = { calls: 20, windowMs: 60_000 }

export function websiteRoutes(
  route: Route,
  { storage, outbound, config }: Context,
  { access, conversations, sources }: Pick<Modules, 'access' | 'conversations' | 'sources'>,
) {
  const { passages } = storage
  const { findBot, countWithin } = access
  const { tryMessage } = conversations
  const { fetchPage, urlProblem } = outbound
  const previews = { fetchPage, urlProblem, extractor: sources.extractor, pageBytes: config.crawl.pageBytes }

  route('POST /api/manage/v1/website-preview', async ({ caller, body }) => {
    const workspaceId = caller.workspaceId ?? 'instance'
    await countWithin([{ name: `website previews ${workspaceId}`, ...PREVIEWS }])
    return previewWebsite(previews, workspaceId, body.url)
  })

  route('POST /api/manage/v1/bots/{botId}/suggested-questions/propose', async ({ caller, params, reply }) => {
    const signal = hangUpSignal(reply)
    return proposeQuestions({ passages, tryMessage }, await findBot(caller, params.botId), signal)
  })
}
