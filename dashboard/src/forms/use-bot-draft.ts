import type { BodyOf, Bot, Routes } from '@docent/contract'
import { useState } from 'react'
import { useApiMutation } from '../api.ts'
import { useTexts } from '../texts/texts.tsx'
import { rebaseDraft } from './rebase-draft.ts'

type Body = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>

/** An editable draft of a bot's settings, with its form state and save action. */
export function useBotDraft<Draft extends object>(bot: Bot, read: (bot: Bot) => Draft, write: (draft: Draft) => Body) {
  const { general } = useTexts()
  const [state, setState] = useState(() => ({ bot, base: read(bot), draft: read(bot) }))
  // After someone else saved, untouched fields take the new values; otherwise saving would undo that change.
  if (state.bot !== bot) setState({ bot, base: read(bot), draft: rebaseDraft(state, read(bot)) })
  const { draft } = state
  const reset = (from: Bot) => setState({ bot, base: read(from), draft: read(from) })
  const body = write(draft)
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}', {
    done: general.saved,
    silent: true,
    onDone: reset,
  })
  return {
    draft,
    body,
    change: (part: Partial<Draft>) => setState((old) => ({ ...old, draft: { ...old.draft, ...part } })),
    form: {
      changed: JSON.stringify(body) !== JSON.stringify(write(read(bot))),
      pending: save.isPending,
      error: save.error,
      onSave: () => save.mutate({ params: { botId: bot.id }, body }),
      onDiscard: () => {
        save.reset()
        reset(bot)
      },
    },
    error: save.error,
  }
}
