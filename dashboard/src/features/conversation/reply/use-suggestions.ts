import type { Conversation, ReplySuggestions } from '@docent/contract'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../api.ts'
import { fillReply, type ReplyNames } from '../../canned-replies/use-canned-replies.ts'

const MAX_SHOWN = 5
const STALE_MS = 300_000

export interface Suggestion {
  id: string
  text: string
  kind: 'answer' | 'past' | 'canned'
  /** Of an answer. */
  sources?: ReplySuggestions['answers'][number]['sources']
  confidence?: number | null
  /** Of an earlier reply. */
  past?: ReplySuggestions['past_replies'][number]
  shortcut?: string
}

/** Replies to the last question, asked for once per message of the visitor. */
export function useSuggestions(botId: string, conversation: Conversation, names: ReplyNames, enabled: boolean) {
  const { queryKey, queryFn } = apiQuery('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/suggestions', {
    params: { botId, conversationId: conversation.id },
  })
  const { data, isPending, error } = useQuery({
    queryKey: [...queryKey, conversation.last_visitor_message?.created_at ?? ''],
    queryFn,
    enabled,
    staleTime: STALE_MS,
    // A sent reply or a tag changes nothing here.
    meta: { refreshesItself: true },
  })
  return { question: data?.question ?? null, items: data ? toItems(data, names) : [], isPending, error }
}

/** What the bot is sure of, then what people wrote, then the rest. */
function toItems({ answers, past_replies, canned_replies }: ReplySuggestions, names: ReplyNames): Suggestion[] {
  const fromBot = answers.map(
    ({ text, sources, confidence }, at): Suggestion => ({
      id: `answer-${at}`,
      kind: 'answer',
      text,
      sources,
      confidence,
    }),
  )
  const sure = fromBot.filter(({ confidence }) => confidence !== null)
  const people: Suggestion[] = [
    ...past_replies.map((past): Suggestion => ({ id: past.conversation_id, kind: 'past', text: past.text, past })),
    ...canned_replies.map(
      (reply): Suggestion => ({
        id: reply.id,
        kind: 'canned',
        text: fillReply(reply, names),
        shortcut: reply.shortcut,
      }),
    ),
  ]
  return [...sure, ...people, ...fromBot.filter((each) => !sure.includes(each))].slice(0, MAX_SHOWN)
}
