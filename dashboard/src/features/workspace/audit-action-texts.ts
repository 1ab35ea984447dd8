// The names of what the audit log records, which load with its page: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { auditActions } = await loadTexts<typeof import('../../texts/en/audit-actions.ts')>(
  (language) => import(`../../texts/${language}/audit-actions.ts`),
)
