// The texts about models, which load with the screens that need them: the first load of the dashboard has no room for them.
import { loadTexts } from '../../texts/texts.tsx'

export const { model, questions, modelProblems } = await loadTexts<typeof import('../../texts/en/language-model.ts')>(
  (language) => import(`../../texts/${language}/language-model.ts`),
)

/** Why a model gave no answer, translated if possible. */
export function modelReason(outcome: string): string {
  return (modelProblems.reasons as Record<string, string>)[outcome] ?? outcome
}
