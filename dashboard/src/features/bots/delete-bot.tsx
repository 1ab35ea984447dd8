import type { Bot } from '@docent/contract'
import { Button, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'

/** Deletes the bot with all its data, so its name must be typed. */
export function DeleteBot({ bot }: { bot: Bot }) {
  const { settings: texts, general } = useTexts()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typedName, setTypedName] = useState('')
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}', {
    done: texts.removedBot,
    onDone: () => navigate({ to: '/bots' }),
  })
  return (
    <Card split title={texts.danger} about={texts.dangerAbout}>
      <div>
        <Button variant="light" color="red" onClick={() => setOpen(true)}>
          {texts.remove}
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={texts.removeTitle(bot.name)}>
        <Form
          action={texts.remove}
          pending={remove.isPending}
          error={null}
          disabled={typedName.trim() !== bot.name.trim()}
          onSubmit={() => remove.mutate({ params: { botId: bot.id } })}
          aside={
            <Button variant="default" onClick={() => setOpen(false)}>
              {general.cancel}
            </Button>
          }
        >
          <p>{texts.dangerAbout}</p>
          <TextInput
            label={texts.removeType(bot.name)}
            data-autofocus
            value={typedName}
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
        </Form>
      </Modal>
    </Card>
  )
}
