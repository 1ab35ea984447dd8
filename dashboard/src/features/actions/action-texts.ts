// The texts of this screen, which load with it: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { actions: texts } = await loadTexts<typeof import('../../texts/en/actions.ts')>(
  (language) => import(`../../texts/${language}/actions.ts`),
)
