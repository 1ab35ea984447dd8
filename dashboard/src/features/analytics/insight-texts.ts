// The texts of these screens, which load with them: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { analytics, unanswered } = await loadTexts<typeof import('../../texts/en/insights.ts')>(
  (language) => import(`../../texts/${language}/insights.ts`),
)
