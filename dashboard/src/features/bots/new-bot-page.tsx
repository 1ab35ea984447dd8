import type { Bot } from '@docent/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { chosenLanguage, useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session.ts'
import { contentLanguages } from '../../text/languages.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { type TriedTurn, TryChat } from '../playground/try-chat.tsx'
import { FirstContent } from './first-content.tsx'
import { Snippet } from './snippet.tsx'

/** Name and language, something to know, a try: three steps to a bot that answers. */
export function NewBotPage() {
  const { newBot: words, bots } = useMessages()
  const [bot, setBot] = useState<Bot | null>(null)
  const [step, setStep] = useState(1)
  return (
    <Page title={bot?.name ?? words.title} about={words.step(step)} back={{ to: '/bots', label: bots.title }}>
      <ol className="steps" aria-hidden="true">
        {[1, 2, 3].map((each) => (
          <li key={each} data-done={each <= step || undefined} />
        ))}
      </ol>
      {!bot ? (
        <Naming
          onCreated={(created) => {
            setBot(created)
            setStep(2)
          }}
        />
      ) : step === 2 ? (
        <FirstContent botId={bot.id} onNext={() => setStep(3)} />
      ) : (
        <Trying bot={bot} onBack={() => setStep(2)} />
      )}
    </Page>
  )
}

function Naming({ onCreated }: { onCreated: (bot: Bot) => void }) {
  const { newBot: words, general } = useMessages()
  const { workspace_id, instance_owner } = useSession()
  const [name, setName] = useState('')
  const [language, setLanguage] = useState<string>(chosenLanguage())
  const create = useAct('POST /api/manage/v1/bots', { silent: true, onDone: onCreated })
  const place = instance_owner && workspace_id ? { workspace_id } : {}
  return (
    <Card split title={words.nameTitle}>
      <Form
        action={words.create}
        pending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate({ body: { name, language, ...place } })}
      >
        <TextInput
          label={general.name}
          description={words.nameHint}
          required
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={words.language}
          searchable
          data={contentLanguages()}
          value={language}
          onChange={(value) => value && setLanguage(value)}
        />
      </Form>
    </Card>
  )
}

function Trying({ bot, onBack }: { bot: Bot; onBack: () => void }) {
  const { newBot: words, general } = useMessages()
  const [turns, setTurns] = useState<TriedTurn[]>([])
  return (
    <>
      <Card title={words.tryTitle} about={words.tryAbout}>
        <TryChat botId={bot.id} turns={turns} onTurn={(turn) => setTurns([...turns, turn])} />
      </Card>
      <Card title={words.snippet}>
        <Snippet botId={bot.id} />
      </Card>
      <div className="form-end">
        <Button component={Link} to={`/bots/${bot.id}`}>
          {words.finish}
        </Button>
        <Button variant="default" onClick={onBack}>
          {general.back}
        </Button>
      </div>
    </>
  )
}
