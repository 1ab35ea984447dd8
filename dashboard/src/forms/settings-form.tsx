import { Button, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { useHasRole } from '../session.ts'
import { useTexts } from '../texts/texts.tsx'
import { Notice } from '../ui/notice.tsx'
import { Status } from '../ui/status.tsx'
import { FormError } from './form.tsx'

interface FormState {
  /** Whether the settings differ from the saved ones. */
  changed: boolean
  valid?: boolean
  pending: boolean
  error: unknown
  onSave: () => void
  onDiscard: () => void
}

interface Props extends FormState {
  /** One's own settings, which no role is needed for. */
  isOwn?: boolean
  children: ReactNode
}

/** Settings saved together. Shows unsaved changes and asks before they are lost. */
export function SettingsForm({
  changed,
  isOwn = false,
  valid = true,
  pending,
  error,
  onSave,
  onDiscard,
  children,
}: Props) {
  const { unsaved: texts, general } = useTexts()
  const isEditor = useHasRole('editor')
  const mayEdit = isOwn || isEditor
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (changed && valid && !pending) onSave()
  }
  return (
    <form className="stack settings-form" onSubmit={submit}>
      {!mayEdit && <Notice>{texts.readOnly}</Notice>}
      <fieldset className="stack bare" disabled={!mayEdit}>
        {children}
      </fieldset>
      {Boolean(error) && <FormError error={error} />}
      {mayEdit && (
        <div className="save-bar" data-changed={changed || undefined}>
          <Button type="submit" loading={pending} disabled={!changed || !valid}>
            {general.save}
          </Button>
          <Button variant="default" disabled={!changed || pending} onClick={onDiscard}>
            {texts.discard}
          </Button>
          <span role="status">{changed && <Status tone="warn">{texts.changed}</Status>}</span>
        </div>
      )}
      <UnsavedChangesDialog when={changed && mayEdit} />
    </form>
  )
}

/** Settings of several kinds, saved with one button. */
export function joinForms(...forms: FormState[]): FormState {
  return {
    changed: forms.some(({ changed }) => changed),
    valid: forms.every(({ valid = true }) => valid),
    pending: forms.some(({ pending }) => pending),
    error: forms.find(({ error }) => error)?.error,
    onSave() {
      for (const { changed, onSave } of forms) if (changed) onSave()
    },
    onDiscard() {
      for (const { onDiscard } of forms) onDiscard()
    },
  }
}

function UnsavedChangesDialog({ when }: { when: boolean }) {
  const { unsaved: texts } = useTexts()
  const blocker = useBlocker({ shouldBlockFn: () => when, enableBeforeUnload: () => when, withResolver: true })
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} title={texts.leaveTitle}>
      <div className="stack">
        <p>{texts.leaveAbout}</p>
        <div className="form-end">
          <Button onClick={() => blocker.reset?.()} data-autofocus>
            {texts.stay}
          </Button>
          <Button variant="light" color="red" onClick={() => blocker.proceed?.()}>
            {texts.leave}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
