// The texts of this screen, which load with it: the first load of the dashboard has no room for them.
import { currentLanguage } from '../../texts/texts.tsx'
import type { ActionTexts } from '../../texts/texts-type.ts'

export const words: ActionTexts =
  currentLanguage() === 'de'
    ? (await import('../../texts/de/actions.ts')).actions
    : (await import('../../texts/en/actions.ts')).actions
