// The texts of proposed answers, which load with them: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { proposals: proposalTexts } = await loadTexts<typeof import('../../texts/en/proposals.ts')>(
  (language) => import(`../../texts/${language}/proposals.ts`),
)
