// The texts of these screens, which load with them: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { tests: testTexts } = await loadTexts<typeof import('../../texts/en/tests.ts')>(
  (language) => import(`../../texts/${language}/tests.ts`),
)
