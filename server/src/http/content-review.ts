import { titleOf } from '../access/audit.ts'
import type { FindBot } from '../access/managers.ts'
import type { Sources } from '../sources/open-sources.ts'
import type { Route } from './server/route.ts'

interface Deps extends Pick<Sources, 'reviewContent' | 'confirmDocument'> {
  findBot: FindBot
}

export function contentReviewRoutes(route: Route, { reviewContent, confirmDocument, findBot }: Deps) {
  route('GET /api/manage/v1/bots/{botId}/content-review', async ({ caller, params }) =>
    reviewContent(await findBot(caller, params.botId)),
  )

  route(
    'POST /api/manage/v1/bots/{botId}/documents/{documentId}/reviewed',
    async ({ caller, params, setAuditTarget }) => {
      const bot = await findBot(caller, params.botId)
      const { title } = await confirmDocument(bot.id, params.documentId)
      setAuditTarget(titleOf({ id: params.documentId, name: title }))
      return undefined
    },
  )
}
