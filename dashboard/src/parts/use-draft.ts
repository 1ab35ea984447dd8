import type { BodyOf, Bot, Routes } from '@docent/contract'
import { useState } from 'react'
import { useAct } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'

type Body = BodyOf<Routes['PATCH /api/manage/v1/bots/{botId}']>

/** Settings of a bot while somebody changes them: what they would be, whether that differs, and how to save it. */
export function useDraft<Draft extends object>(bot: Bot, read: (bot: Bot) => Draft, write: (draft: Draft) => Body) {
  const { general } = useMessages()
  const [draft, setDraft] = useState(() => read(bot))
  const body = write(draft)
  const save = useAct('PATCH /api/manage/v1/bots/{botId}', {
    done: general.saved,
    silent: true,
    onDone: (saved) => setDraft(read(saved)),
  })
  return {
    draft,
    body,
    change: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    form: {
      changed: JSON.stringify(body) !== JSON.stringify(write(read(bot))),
      pending: save.isPending,
      error: save.error,
      onSave: () => save.mutate({ params: { botId: bot.id }, body }),
      onDiscard: () => {
        save.reset()
        setDraft(read(bot))
      },
    },
    error: save.error,
  }
}
