import type { VisitorSummary } from '@docent/contract'
import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { describeVisitor } from './describe-visitor.ts'

/** Cannot be undone, so the visitor's name must be typed. */
export function EraseVisitor({
  botId,
  visitor,
  onClose,
}: {
  botId: string
  visitor: VisitorSummary
  onClose: () => void
}) {
  const { privacy: texts, general } = useTexts()
  const [typedName, setTypedName] = useState('')
  const name = describeVisitor(visitor, visitor.id)
  const erase = useApiMutation('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', {
    done: texts.erased,
    onDone: onClose,
    silent: true,
  })
  return (
    <Modal opened onClose={onClose} title={texts.eraseTitle(name)}>
      <Form
        action={texts.erase}
        destroys
        pending={erase.isPending}
        error={erase.error}
        disabled={typedName.trim() !== name.trim()}
        onSubmit={() => erase.mutate({ params: { botId, visitorId: visitor.id } })}
        aside={
          <Button variant="default" onClick={onClose}>
            {general.cancel}
          </Button>
        }
      >
        <p>{texts.eraseAbout}</p>
        <TextInput
          label={texts.eraseType(name)}
          data-autofocus
          value={typedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
      </Form>
    </Modal>
  )
}
