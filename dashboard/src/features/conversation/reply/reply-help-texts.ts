// The texts of suggestions and drafts, which load with the inbox: the first load of the dashboard has no room for them.
import { loadTexts } from '../../../texts/texts.tsx'

export const { replyHelp: texts } = await loadTexts<typeof import('../../../texts/en/reply-help.ts')>(
  (language) => import(`../../../texts/${language}/reply-help.ts`),
)
