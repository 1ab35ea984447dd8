import type { Action } from '@docent/contract'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { rebaseDraft } from '../../forms/rebase-draft.ts'
import { type ActionDraft, changedFields, readAction, writeAction } from './action-draft.ts'

/** An editable draft of an action, with its form state and the ways to save it. */
export function useActionDraft(botId: string, action: Action) {
  const [state, setState] = useState(() => ({ action, base: readAction(action), draft: readAction(action) }))
  // After someone else saved, untouched fields take the new values.
  if (state.action !== action)
    setState({ action, base: readAction(action), draft: rebaseDraft(state, readAction(action)) })
  const { draft } = state
  const reset = (from: Action) => setState({ action, base: readAction(from), draft: readAction(from) })
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', { silent: true, onDone: reset })
  const body = changedFields(writeAction(draft, action.kind), writeAction(readAction(action), action.kind))
  const params = { botId, actionId: action.id }
  return {
    draft,
    change: (part: Partial<ActionDraft>) => setState((old) => ({ ...old, draft: { ...old.draft, ...part } })),
    changed: Object.keys(body).length > 0,
    pending: save.isPending,
    error: save.error,
    discard: () => {
      save.reset()
      reset(action)
    },
    /** Resolves with whether it was saved; if not, the fields say why. */
    save: async (more: { state?: Action['state'] } = {}): Promise<boolean> =>
      save.mutateAsync({ params, body: { ...body, ...more } }).then(
        () => true,
        () => false,
      ),
  }
}
