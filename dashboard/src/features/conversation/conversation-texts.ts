// The texts around the messages, which load with the inbox: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { thread, replyHelp } = await loadTexts<typeof import('../../texts/en/conversation.ts')>(
  (language) => import(`../../texts/${language}/conversation.ts`),
)
