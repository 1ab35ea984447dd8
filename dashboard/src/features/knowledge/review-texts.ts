// The texts of this screen, which load with it: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { review: reviewTexts } = await loadTexts<typeof import('../../texts/en/review.ts')>(
  (language) => import(`../../texts/${language}/review.ts`),
)
