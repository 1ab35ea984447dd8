// Answers that agents have proposed, for editors to decide on.
import type { AnswerProposal } from '@docent/contract'
import { screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AnswerForm } from './answer-form.tsx'
import { proposalTexts as texts } from './studio-texts.ts'

export function Proposals({ botId }: { botId: string }) {
  const proposals = useApiList('GET /api/manage/v1/bots/{botId}/answer-proposals', {
    params: { botId },
    query: { limit: 200 },
  })
  const [reviewedProposal, setReviewedProposal] = useState<AnswerProposal | null>(null)
  const { items } = proposals
  return (
    <>
      {items.length > 0 && (
        <Card title={texts.title(formatNumber(items.length))} about={texts.about}>
          <ul className="proposals">
            {items.map((proposal) => (
              <Proposal
                key={proposal.id}
                botId={botId}
                proposal={proposal}
                onReview={() => setReviewedProposal(proposal)}
              />
            ))}
          </ul>
        </Card>
      )}
      <ReviewForm botId={botId} proposal={reviewedProposal} onClose={() => setReviewedProposal(null)} />
    </>
  )
}

function Proposal({ botId, proposal, onReview }: { botId: string; proposal: AnswerProposal; onReview: () => void }) {
  const mayDecide = useHasRole('editor')
  const reject = useApiMutation('DELETE /api/manage/v1/bots/{botId}/answer-proposals/{proposalId}', {
    done: texts.rejected,
  })
  const { id, question, answer, conversation_id, proposed_by, created_at } = proposal
  return (
    <li className="proposal">
      <div className="stack tight">
        <strong>{question || texts.noQuestion}</strong>
        <span className="clip">{answer}</span>
        <span className="inline small quiet">
          {proposed_by && <span>{texts.by(proposed_by)}</span>}
          <Time time={created_at} />
          <Link to={screenPath('botInbox', { botId, conversationId: conversation_id })}>{texts.conversation}</Link>
        </span>
      </div>
      {mayDecide && (
        <div className="inline">
          <Button size="sm" variant="light" onClick={onReview}>
            {texts.review}
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={reject.isPending}
            onClick={() => reject.mutate({ params: { botId, proposalId: id } })}
          >
            {texts.reject}
          </Button>
        </div>
      )}
    </li>
  )
}

interface ReviewProps {
  botId: string
  /** Null: closed. */
  proposal: AnswerProposal | null
  onClose: () => void
  onApproved?: () => void
}

function ReviewForm({ botId, proposal, onClose, onApproved }: ReviewProps) {
  return (
    <AnswerForm
      botId={botId}
      opened={proposal !== null}
      onClose={onClose}
      start={proposal ? { question: proposal.question, answer: proposal.answer } : {}}
      {...(proposal
        ? {
            approval: {
              proposalId: proposal.id,
              title: texts.approveTitle,
              action: texts.approve,
              done: texts.approved,
              onDone: onApproved,
            },
          }
        : {})}
    />
  )
}

interface AddProps {
  place: { botId: string; conversationId: string }
  messageId: string
}

/** Proposes an agent's reply as a curated answer. Editors decide on it at once. */
export function AddToKnowledge({ place: { botId, conversationId }, messageId }: AddProps) {
  const mayDecide = useHasRole('editor')
  const [reviewedProposal, setReviewedProposal] = useState<AnswerProposal | null>(null)
  const propose = useApiMutation('POST /api/manage/v1/bots/{botId}/answer-proposals', {
    onDone: (proposal) => (mayDecide ? setReviewedProposal(proposal) : toast(texts.addedDone)),
  })
  const body = { conversation_id: conversationId, message_id: messageId }
  const [isApproved, setApproved] = useState(false)
  // Editors can close the review and open it again: a reply is proposed only once.
  const isDone = isApproved || (propose.isSuccess && !mayDecide)
  return (
    <>
      <button
        type="button"
        className="message-fix"
        disabled={propose.isPending || isDone}
        onClick={() => propose.mutate({ params: { botId }, body })}
      >
        <Icon name="knowledge" size={14} />
        {isApproved ? texts.approvedShort : isDone ? texts.added : texts.add}
      </button>
      <ReviewForm
        botId={botId}
        proposal={reviewedProposal}
        onClose={() => setReviewedProposal(null)}
        onApproved={() => setApproved(true)}
      />
    </>
  )
}
