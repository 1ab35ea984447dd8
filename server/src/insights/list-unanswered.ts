// Unanswered questions, without those that a curated answer covers by now.
import { questionKey } from '../answers/understand/question-key.ts'
import type { CuratedAnswersTable } from '../storage/curated-answers.ts'
import type { QuestionPosition, QuestionRecord, QuestionsTable } from '../storage/questions.ts'

// Covered questions are filtered out after reading, so read a few more.
const READ_BEYOND = 50

export interface OpenQuestion extends QuestionRecord {
  languages: string[]
}

export type ListUnanswered = (botId: string, after: QuestionPosition | null, limit: number) => Promise<OpenQuestion[]>

interface Deps {
  questions: Pick<QuestionsTable, 'listUnanswered' | 'listLanguages'>
  curatedAnswers: Pick<CuratedAnswersTable, 'listPhrasings'>
}

export function createListUnanswered({ questions, curatedAnswers }: Deps): ListUnanswered {
  return async (botId, after, limit) => {
    const covered = new Set((await curatedAnswers.listPhrasings(botId)).map(questionKey))
    const open: QuestionRecord[] = []
    const most = limit + READ_BEYOND
    for (let cursor = after, some: QuestionRecord[] = []; open.length < limit; ) {
      some = await questions.listUnanswered(botId, cursor, most)
      open.push(...some.filter(({ key }) => !covered.has(key)))
      cursor = some.at(-1) ?? null
      if (some.length < most) break
    }
    const shown = open.slice(0, limit)
    const languages = Map.groupBy(
      await questions.listLanguages(
        botId,
        shown.map(({ key }) => key),
      ),
      ({ key }) => key,
    )
    return shown.map((question) => ({
      ...question,
      languages: (languages.get(question.key) ?? []).map(({ language }) => language),
    }))
  }
}
