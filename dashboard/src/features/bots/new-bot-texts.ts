// The texts for new bots, which load with their screens: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { newBot: texts } = await loadTexts<typeof import('../../texts/en/new-bot.ts')>(
  (language) => import(`../../texts/${language}/new-bot.ts`),
)
