import { type AnswerProposal, Fault } from '@docent/contract'
import type { Manager } from '../access/managers.ts'
import type { Context } from '../context.ts'
import { approveAnswer } from '../search/curated/curated-answers.ts'
import type { AnswerProposalRecord } from '../storage/answer-proposals.ts'
import { timestamp } from '../timestamps.ts'
import { toAnswer } from './curated-answers.ts'
import type { Modules } from './modules.ts'
import { page } from './server/paging.ts'
import type { Route } from './server/route.ts'

export function answerProposalRoutes(
  route: Route,
  { storage, clock }: Context,
  { access, conversations, search }: Pick<Modules, 'access' | 'conversations' | 'search'>,
) {
  const { answerProposals, curatedAnswers } = storage
  const { findBot } = access
  const { agentOf, proposeAnswer } = conversations
  const deps = { answerProposals, curatedAnswers, onChanged: search.onAnswersChanged, clock }

  async function proposalOf(manager: Manager, params: { botId: string; proposalId: string }) {
    const bot = await findBot(manager, params.botId)
    const proposal = await answerProposals.find(bot.id, params.proposalId)
    if (!proposal) throw new Fault('not_found')
    return { bot, proposal }
  }

  route('POST /api/manage/v1/bots/{botId}/answer-proposals', async ({ caller, params, body, setAuditTarget }) => {
    const bot = await findBot(caller, params.botId)
    const ids = { conversationId: body.conversation_id, messageId: body.message_id }
    const proposal = await proposeAnswer(bot, ids, await agentOf(caller, bot.workspaceId))
    setAuditTarget(proposal.id)
    return toProposal(proposal)
  })

  route('GET /api/manage/v1/bots/{botId}/answer-proposals', async ({ caller, params, query }) => {
    const bot = await findBot(caller, params.botId)
    return page(query, (after, limit) => answerProposals.list(bot.id, after, limit), toProposal)
  })

  route(
    'POST /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}/approve',
    async ({ caller, params, body, setAuditTarget }) => {
      const { bot, proposal } = await proposalOf(caller, params)
      const record = await approveAnswer(deps, bot.id, proposal.id, body)
      setAuditTarget(record.question)
      return toAnswer(record)
    },
  )

  route(
    'DELETE /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}',
    async ({ caller, params, setAuditTarget }) => {
      const { bot, proposal } = await proposalOf(caller, params)
      await answerProposals.remove(bot.id, proposal.id)
      setAuditTarget(proposal.id)
      return undefined
    },
  )
}

function toProposal(record: AnswerProposalRecord): AnswerProposal {
  const { id, question, answer, conversationId, messageId, proposedBy, createdAt } = record
  return {
    id,
    question,
    answer,
    conversation_id: conversationId,
    message_id: messageId,
    proposed_by: proposedBy,
    created_at: timestamp(createdAt),
  }
}
