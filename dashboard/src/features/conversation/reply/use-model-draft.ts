import type { DraftInput } from '@docent/contract'
import { useApiMutation } from '../../../api.ts'
import { toast } from '../../../forms/toast.tsx'
import { replyHelp as texts } from '../conversation-texts.ts'

export interface ConversationPlace {
  botId: string
  conversationId: string
}

/** Has the language model write; says so if it cannot. */
export function useModelDraft(place: ConversationPlace) {
  const draft = useApiMutation('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/drafts')
  return {
    isPending: draft.isPending,
    write: (task: DraftInput, onText: (text: string) => void) =>
      draft.mutate(
        { params: place, body: task },
        {
          onSuccess: ({ text, problem }) => {
            if (text !== null) onText(text)
            else toast(texts.problems[problem ?? 'unavailable'], 'bad')
          },
        },
      ),
  }
}
