// Texts that a bot's language model writes for an agent, who checks and sends them.
import { type Draft, type DraftInput, Fault } from '@docent/contract'
import type { DraftTask, DraftTurn, WrittenDraft } from '../answers/language-model/write-draft.ts'
import type { Turn } from '../answers/types.ts'
import type { KnowledgeOf } from '../catalogue/open-catalogue.ts'
import type { Context } from '../context.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { InboxRecord } from '../storage/inbox.ts'
import type { MessageRecord } from '../storage/messages.ts'
import { type ModelCall, usageOf } from './language-models.ts'
import { toTurn } from './send-message.ts'
import { languageOf, passagesFor, questionOf } from './suggestions.ts'

// More would hardly fit into a prompt.
const MESSAGES_READ = 60

/** Null for a bot whose messages no model may read; 'daily_limit' when its daily calls are used up. */
export type AskForDraft = (
  bot: BotRecord,
  task: DraftTask,
) => Promise<{ draft: WrittenDraft; call: ModelCall } | 'daily_limit' | null>

interface Neighbours {
  knowledgeOf: KnowledgeOf
  /** The history as a language model may know it. */
  forModel: (history: readonly Turn[]) => Turn[]
  askForDraft: AskForDraft
}

export type WriteDraft = ReturnType<typeof makeWriteDraft>

export function makeWriteDraft(context: Context, { knowledgeOf, forModel, askForDraft }: Neighbours) {
  const { clock, storage, config } = context
  const { messages, modelUsageDays } = storage
  const { widgetBaseUrl } = config

  async function taskOf(bot: BotRecord, conversation: InboxRecord, input: DraftInput): Promise<DraftTask> {
    const { task, text = '', style = 'correct' } = input
    const language = input.language ?? languageOf(bot, conversation)
    if (task === 'rewrite') return { task, text: requireText(text), style }
    if (task === 'translate') return { task, text: requireText(text), language }
    const recentMessages = await messages.list(bot.id, conversation.id, MESSAGES_READ, undefined, 'verified')
    const modelTurns = forModel(recentMessages.map((message) => toTurn(message, true)))
    const turns = recentMessages.map((message, at) => toDraftTurn(message, modelTurns[at]?.text ?? ''))
    if (task === 'summary') return { task, turns, language: input.language ?? 'en' }
    const visitorQuestion = questionOf(recentMessages, language)
    const hits = visitorQuestion
      ? await passagesFor(visitorQuestion.question, visitorQuestion.history, bot, { knowledgeOf, widgetBaseUrl })
      : []
    return { task, turns, passages: hits.map(({ passage }) => passage), language, begun: text }
  }

  return async (bot: BotRecord, conversation: InboxRecord, input: DraftInput): Promise<Draft> => {
    const result = await askForDraft(bot, await taskOf(bot, conversation, input))
    if (result === null) return { text: null, problem: 'no_language_model' }
    if (result === 'daily_limit') return { text: null, problem: 'daily_limit' }
    await modelUsageDays.count(bot.id, usageOf(result.call, clock()))
    return 'failed' in result.draft
      ? { text: null, problem: 'unavailable' }
      : { text: result.draft.text, problem: null }
  }
}

function toDraftTurn({ role }: MessageRecord, text: string): DraftTurn {
  return { by: role === 'user' ? 'visitor' : role === 'agent' ? 'agent' : 'bot', text }
}

function requireText(text: string): string {
  if (text.trim()) return text
  throw new Fault('validation_failed', { details: [{ path: 'text', message: 'Send the text to change.' }] })
}
