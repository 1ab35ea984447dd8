// The names of changed settings, which load with the audit log: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { auditFields } = await loadTexts<typeof import('../../texts/en/audit-fields.ts')>(
  (language) => import(`../../texts/${language}/audit-fields.ts`),
)
