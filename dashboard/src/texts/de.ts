import * as bots from './de/bots.ts'
import * as general from './de/general.ts'
import * as inbox from './de/inbox.ts'
import * as insights from './de/insights.ts'
import * as integrations from './de/integrations.ts'
import * as knowledge from './de/knowledge.ts'
import * as notifications from './de/notifications.ts'
import * as settings from './de/settings.ts'
import * as teamInbox from './de/team-inbox.ts'
import * as workspace from './de/workspace.ts'
import type { Texts } from './texts-type.ts'

export const de: Texts = {
  ...general,
  ...bots,
  ...knowledge,
  ...settings,
  ...integrations,
  ...notifications,
  ...inbox,
  ...teamInbox,
  ...insights,
  ...workspace,
}
