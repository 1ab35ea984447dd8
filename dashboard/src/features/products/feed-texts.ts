// The texts of feeds and shops, which load with their screens: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { feeds: texts } = await loadTexts<typeof import('../../texts/en/feeds.ts')>(
  (language) => import(`../../texts/${language}/feeds.ts`),
)
