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
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}', {
    done: texts.removedBot,
    onDone: () => navigate({ to: '/bots' }),
  })
  return (
    <Card split title={texts.danger} about={texts.dangerAbout}>
      <div>
        <Button variant="light" color="red" onClick={() => setOpened(true)}>
          {texts.remove}
        </Button>
      </div>
      <Modal opened={opened} onClose={() => setOpened(false)} title={texts.removeTitle(bot.name)}>
        <Form
          action={texts.remove}
          pending={remove.isPending}
          error={null}
          disabled={typed.trim() !== bot.name.trim()}
          onSubmit={() => remove.mutate({ params: { botId: bot.id } })}
          aside={
            <Button variant="default" onClick={() => setOpened(false)}>
              {general.cancel}
            </Button>
          }
        >
          <p>{texts.dangerAbout}</p>
          <TextInput
            label={texts.removeType(bot.name)}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Form>
      </Modal>
    </Card>
  )
}
