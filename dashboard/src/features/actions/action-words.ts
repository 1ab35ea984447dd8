// The texts of this screen, which load with it: the first load of the dashboard has no room for them.
import { currentLanguage } from '../../messages/messages.tsx'
import type { ActionMessages } from '../../messages/messages-type.ts'

export const words: ActionMessages =
  currentLanguage() === 'de'
    ? (await import('../../messages/de/actions.ts')).actions
    : (await import('../../messages/en/actions.ts')).actions
