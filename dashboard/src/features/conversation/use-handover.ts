import type { ConversationSummary } from '@docent/contract'
import { useAct } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useMay, useSession } from '../../session.ts'

export type HandoverActions = ReturnType<typeof useHandover>

/** Taking a conversation over and handing it back, for buttons and keys alike. */
export function useHandover(botId: string, onDone: () => void) {
  const { inbox: words } = useMessages()
  const { account } = useSession()
  const mayAct = useMay('agent')
  const accepting = useAct('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/accept', {
    done: words.takenOver,
    onDone,
  })
  const closing = useAct('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/close', {
    done: words.handedBack,
    onDone,
  })
  const isPending = accepting.isPending || closing.isPending
  const of = ({ channel, handover: { status, agent_name } }: ConversationSummary) => {
    const isTheirs = status === 'active' && agent_name !== account.name
    return {
      mayAccept: mayAct && channel === 'widget' && (status !== 'active' || isTheirs),
      mayClose: mayAct && (status === 'requested' || status === 'active'),
      acceptLabel: isTheirs && agent_name ? words.takeOverFrom(agent_name) : words.takeOver,
    }
  }
  const act = (one: typeof accepting | typeof closing) => (conversation: ConversationSummary) => {
    if (!isPending) one.mutate({ params: { botId, conversationId: conversation.id } })
  }
  return { of, isPending, accept: act(accepting), close: act(closing) }
}
