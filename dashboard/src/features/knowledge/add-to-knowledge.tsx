import type { AnswerProposal } from '@docent/contract'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { toast } from '../../forms/toast.tsx'
import { useHasRole } from '../../session.ts'
import { Icon } from '../../ui/icon.tsx'
import { ReviewForm } from './proposals.tsx'
import { proposalTexts as texts } from './studio-texts.ts'

interface Props {
  place: { botId: string; conversationId: string }
  messageId: string
}

/** Proposes an agent's reply as a curated answer. Editors decide on it at once. */
export function AddToKnowledge({ place: { botId, conversationId }, messageId }: Props) {
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
