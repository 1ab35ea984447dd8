// The texts of this card, which load with it: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { translations: texts } = await loadTexts<typeof import('../../texts/en/translations.ts')>(
  (language) => import(`../../texts/${language}/translations.ts`),
)
