// Proposes what an agent replied as a curated answer, to be decided on by an editor.
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import { timedId } from '../ids.ts'
import type { AnswerProposalRecord } from '../storage/answer-proposals.ts'
import type { BotRecord } from '../storage/bots.ts'
import { HISTORY_MESSAGES } from './answer-message.ts'
import { questionOf } from './suggestions.ts'
import type { Agent } from './take-over.ts'

const MAX_PROPOSALS = 200
// As long as the question of a curated answer may be.
const QUESTION_LENGTH = 500

export function makeProposeAnswer({ storage, clock }: Context) {
  const { answerProposals, messages } = storage

  return async (
    bot: BotRecord,
    { conversationId, messageId }: { conversationId: string; messageId: string },
    agent: Agent,
  ): Promise<AnswerProposalRecord> => {
    const reply = await messages.find(bot.id, conversationId, messageId)
    if (reply?.role !== 'agent' || reply.text.trim() === '') throw new Fault('not_found')
    if ((await answerProposals.count(bot.id)) >= MAX_PROPOSALS) throw new Fault('too_many_proposals')
    const before = await messages.list(bot.id, conversationId, HISTORY_MESSAGES, messageId)
    const now = clock()
    return answerProposals.insert(bot.id, {
      id: timedId('prp', now),
      conversationId,
      messageId,
      question: questionOf(before, bot.language)?.question.trim().slice(0, QUESTION_LENGTH) ?? '',
      answer: reply.text,
      proposedBy: agent.name,
      createdAt: now,
    })
  }
}
