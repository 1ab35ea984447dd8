// The English texts, one file per area. Other languages must have the same keys to compile.
import * as bots from './en/bots.ts'
import * as general from './en/general.ts'
import * as inbox from './en/inbox.ts'
import * as insights from './en/insights.ts'
import * as integrations from './en/integrations.ts'
import * as knowledge from './en/knowledge.ts'
import * as notifications from './en/notifications.ts'
import * as settings from './en/settings.ts'
import * as teamInbox from './en/team-inbox.ts'
import * as workspace from './en/workspace.ts'

export const en = {
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
