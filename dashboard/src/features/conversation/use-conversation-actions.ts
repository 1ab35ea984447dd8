import type { ConversationSummary, PatchConversation } from '@docent/contract'
import { useApiMutation } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useTeam } from '../inbox/use-team.ts'

const ROUTE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'

export type ConversationActions = ReturnType<typeof useConversationActions>

/**
 * Actions on a conversation, for buttons and keyboard shortcuts. Each names the state on the screen, so that the server
 * can detect conflicts.
 */
export function useConversationActions(onSettled: () => void) {
  const { inbox: texts, team } = useTexts()
  const { me } = useTeam()
  const mayAct = useHasRole('agent')
  const accepting = useApiMutation(`POST ${ROUTE}/accept`, { done: texts.takenOver })
  const closing = useApiMutation(`POST ${ROUTE}/close`, { done: texts.handedBack })
  const changing = useApiMutation(`PATCH ${ROUTE}`)
  const isPending = accepting.isPending || closing.isPending || changing.isPending
  // Also after a conflict, to show what someone else changed.
  const then = { onSettled }
  const paramsOf = ({ bot_id, id }: ConversationSummary) => ({ botId: bot_id, conversationId: id })

  const permissions = ({ channel, handover: { status, agent_id, agent_name }, status: state }: ConversationSummary) => {
    const isTheirs = status === 'active' && agent_id !== me
    return {
      mayAct,
      mayAccept: mayAct && channel === 'widget' && (status !== 'active' || isTheirs),
      mayClose: mayAct && (status === 'requested' || status === 'active'),
      isResolved: state === 'resolved',
      acceptLabel: isTheirs && agent_name ? texts.takeOverFrom(agent_name) : texts.takeOver,
    }
  }
  const change = (conversation: ConversationSummary, body: PatchConversation) => {
    if (!isPending) changing.mutate({ params: paramsOf(conversation), body }, then)
  }
  return {
    permissions,
    isPending,
    accept: (conversation: ConversationSummary) => {
      const { status, agent_id } = conversation.handover
      const body = { expected_agent_id: status === 'active' ? agent_id : null }
      if (!isPending) accepting.mutate({ params: paramsOf(conversation), body }, then)
    },
    close: (conversation: ConversationSummary) => {
      if (!isPending) closing.mutate({ params: paramsOf(conversation) }, then)
    },
    resolve: (conversation: ConversationSummary) =>
      change(conversation, {
        status: conversation.status === 'resolved' ? 'open' : 'resolved',
        expected_status: conversation.status,
      }),
    snooze: (conversation: ConversationSummary, until: Date | null) =>
      change(conversation, {
        snoozed_until: until?.toISOString() ?? null,
        expected_status: conversation.status,
      }),
    assign: (conversation: ConversationSummary, assigneeId: string | null) =>
      change(conversation, {
        assignee_id: assigneeId,
        expected_assignee_id: conversation.assignee?.id ?? null,
      }),
    tag: (conversation: ConversationSummary, tags: string[]) => {
      const add_tags = tags.filter((each) => !conversation.tags.includes(each))
      const remove_tags = conversation.tags.filter((each) => !tags.includes(each))
      change(conversation, { add_tags, remove_tags })
    },
    label: (conversation: ConversationSummary) => (conversation.status === 'resolved' ? team.reopen : team.resolve),
  }
}
