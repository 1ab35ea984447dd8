// The texts of the knowledge screens, which load with them: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const {
  studio: studioTexts,
  proposals: proposalTexts,
  review: reviewTexts,
  tests: testTexts,
} = await loadTexts<typeof import('../../texts/en/studio.ts')>(
  (language) => import(`../../texts/${language}/studio.ts`),
)
