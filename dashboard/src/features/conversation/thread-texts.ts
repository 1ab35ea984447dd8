// The texts between the messages, which load with the inbox: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { thread: texts } = await loadTexts<typeof import('../../texts/en/thread.ts')>(
  (language) => import(`../../texts/${language}/thread.ts`),
)
