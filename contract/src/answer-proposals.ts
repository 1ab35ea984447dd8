// Curated answers that agents propose from their replies, until an editor decides on them.
import type { Static } from 'typebox'
import { CuratedAnswer, curatedAnswerFields } from './curated-answers.ts'
import { INPUT_ERRORS, MANAGER_ERRORS, ofBot, type RouteSpec } from './route.ts'
import { Id, Nullable, Page, PageQuery, Params, Timestamp } from './schema.ts'
import { Type } from './type.ts'

export const AnswerProposal = Type.Object(
  {
    id: Type.String(),
    question: Type.String({ description: 'What the visitor had asked; may be empty.' }),
    answer: Type.String({ description: 'What the agent replied.' }),
    conversation_id: Type.String(),
    message_id: Type.String(),
    proposed_by: Nullable(Type.String({ description: 'Name of a member.' })),
    created_at: Timestamp,
  },
  {
    $id: 'AnswerProposal',
    description: 'A curated answer that waits for an editor. It is not used, and is deleted with its conversation.',
  },
)
export type AnswerProposal = Static<typeof AnswerProposal>

const ProposeAnswer = Type.Object({ conversation_id: Id, message_id: Id })
const ApproveAnswer = Type.Object(curatedAnswerFields)

const ofProposal = Params({ botId: Id, proposalId: Id })
const common = { tag: 'Knowledge', caller: 'management' } as const

export const answerProposalRoutes = {
  'POST /api/manage/v1/bots/{botId}/answer-proposals': {
    ...common,
    summary: 'Propose an agent’s reply as a curated answer',
    description: 'The question is the visitor’s last one before the reply. A reply is proposed once.',
    role: 'agent',
    params: ofBot,
    body: ProposeAnswer,
    status: 201,
    response: AnswerProposal,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'too_many_proposals'],
    audit: 'answer_proposal.created',
  },
  'GET /api/manage/v1/bots/{botId}/answer-proposals': {
    ...common,
    summary: 'List the proposed answers that wait for an editor',
    description: 'Oldest first.',
    role: 'viewer',
    params: ofBot,
    query: PageQuery,
    status: 200,
    response: Page(AnswerProposal),
    errors: [...MANAGER_ERRORS, 'bot_not_found'],
  },
  'POST /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}/approve': {
    ...common,
    summary: 'Approve a proposed answer',
    description: 'Adds the curated answer, as it was edited, and removes the proposal.',
    role: 'editor',
    params: ofProposal,
    body: ApproveAnswer,
    status: 201,
    response: CuratedAnswer,
    errors: [...MANAGER_ERRORS, ...INPUT_ERRORS, 'bot_not_found', 'not_found', 'too_many_answers'],
    audit: 'answer_proposal.approved',
  },
  'DELETE /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}': {
    ...common,
    summary: 'Reject a proposed answer',
    role: 'editor',
    params: ofProposal,
    status: 204,
    errors: [...MANAGER_ERRORS, 'bot_not_found', 'not_found'],
    audit: 'answer_proposal.rejected',
  },
} as const satisfies Record<string, RouteSpec>
