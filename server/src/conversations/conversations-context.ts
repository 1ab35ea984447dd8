// What the verbs of this module work with: the instance, and whom to tell of a change.
import type { Context } from '../context.ts'
import type { OnEvents } from '../webhooks/delivery-worker.ts'
import type { Live } from './live.ts'

export interface ConversationsContext extends Context {
  /** Called when events for a bot's endpoints were written. */
  onEvents: OnEvents
  /** Tells the widgets and inboxes that show a conversation. */
  live: Live
}
