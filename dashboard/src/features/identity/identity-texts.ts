// The texts of this screen, which load with it: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { identity: texts } = await loadTexts<typeof import('../../texts/en/identity.ts')>(
  (language) => import(`../../texts/${language}/identity.ts`),
)
