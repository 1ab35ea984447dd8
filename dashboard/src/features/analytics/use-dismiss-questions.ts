import { reloadQueries } from '../../api.ts'
import { client } from '../../client.ts'
import { toast } from '../../forms/toast.tsx'
import { undoToast } from '../../forms/undo-toast.tsx'
import { explainError } from '../../text/explain-error.ts'
import { useTexts } from '../../texts/texts.tsx'
import { unanswered as texts } from './insight-texts.ts'

const ROUTES = {
  dismiss: 'POST /api/manage/v1/bots/{botId}/unanswered/dismiss',
  restore: 'POST /api/manage/v1/bots/{botId}/unanswered/restore',
} as const

/** Dismisses questions with an undo that works even after the list is closed. */
export function useDismissQuestions(botId: string): (questions: string[]) => void {
  const allTexts = useTexts()

  async function all(verb: keyof typeof ROUTES, questions: string[], then: () => void) {
    try {
      for (const question of questions) await client.request(ROUTES[verb], { params: { botId }, body: { question } })
      then()
    } catch (error) {
      toast(explainError(error, allTexts), 'bad')
    }
    await reloadQueries()
  }

  return (questions) =>
    void all('dismiss', questions, () =>
      undoToast(
        questions.length > 1 ? texts.topicDismissed : texts.dismissed,
        texts.undo,
        () => void all('restore', questions, () => toast(texts.restored)),
      ),
    )
}
