// The texts of who waits, which load with the screens that show it: the first load has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { queue: texts } = await loadTexts<typeof import('../../texts/en/queue.ts')>(
  (language) => import(`../../texts/${language}/queue.ts`),
)
