import type { Bot } from '@docent/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useSession } from '../../session.ts'
import { contentLanguages } from '../../text/languages.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { FirstContent } from './first-content.tsx'
import { FirstQuestions, type FirstQuestionsProps } from './first-questions.tsx'
import { useNewBot } from './use-new-bot.ts'

interface WizardSearch {
  bot?: string
  step?: number
}

/** The wizard: name and website, first content, first test. The step is in the URL, so that it survives a reload. */
export function NewBotPage() {
  const { newBot: words, bots } = useTexts()
  const { bot: botId = '', step = 2 } = useSearch({ strict: false }) as WizardSearch
  const navigate = useNavigate()
  const { read, crawls, isCrawling } = useNewBot(botId)
  const bot = botId === '' ? undefined : read.data
  const now = botId === '' ? 1 : step === 3 ? 3 : 2
  // Replace the form in the history, because going back to it would create a second bot.
  const goTo = (place: WizardSearch) => navigate({ to: '/bots/new', search: place as never, replace: botId === '' })
  return (
    <Page title={bot?.name ?? words.title} about={words.step(now)} back={{ to: '/bots', label: bots.title }}>
      <ol className="steps" aria-hidden="true">
        {[1, 2, 3].map((each) => (
          <li key={each} data-done={each <= now || undefined} />
        ))}
      </ol>
      {botId === '' ? (
        <NameStep onCreated={({ id }) => goTo({ bot: id, step: 2 })} />
      ) : read.error ? (
        <LoadError error={read.error} onRetry={() => read.refetch()} />
      ) : !bot || crawls.isPending ? (
        <LoadingRows />
      ) : now === 2 ? (
        <FirstContent bot={bot} crawls={crawls.items} onNext={() => goTo({ bot: bot.id, step: 3 })} />
      ) : (
        <TestStep
          bot={bot}
          crawls={crawls.items}
          isCrawling={isCrawling}
          onBack={() => goTo({ bot: bot.id, step: 2 })}
        />
      )}
    </Page>
  )
}

function NameStep({ onCreated }: { onCreated: (bot: Bot) => void }) {
  const { newBot: words, general } = useTexts()
  const { workspace_id, instance_owner } = useSession()
  const [name, setName] = useState('')
  const [site, setSite] = useState('')
  const [language, setLanguage] = useState<string>(currentLanguage())
  const crawl = useApiMutation('POST /api/manage/v1/bots/{botId}/crawls')
  const create = useApiMutation('POST /api/manage/v1/bots', {
    silent: true,
    onDone: (bot) => {
      // Errors of the URL are shown in the next step, where it can be corrected.
      if (url) crawl.mutate({ params: { botId: bot.id }, body: { url, update_existing: true } })
      onCreated(bot)
    },
  })
  const url = withScheme(site)
  const place = instance_owner && workspace_id ? { workspace_id } : {}
  return (
    <Card split title={words.nameTitle}>
      <Form
        action={words.create}
        pending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate({ body: { name, language, ...place, ...(url ? { site_url: url } : {}) } })}
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
        <TextInput
          label={`${words.url} (${general.optional})`}
          description={words.siteHint}
          placeholder="https://www.example.com"
          inputMode="url"
          value={site}
          error={fieldError(create.error, 'site_url') ?? null}
          onChange={(event) => setSite(event.currentTarget.value)}
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

function TestStep({ onBack, ...learning }: FirstQuestionsProps & { onBack: () => void }) {
  const { newBot: words, general } = useTexts()
  return (
    <>
      <FirstQuestions {...learning} />
      <div className="form-end">
        <Button component={Link} to={`/bots/${learning.bot.id}`}>
          {words.finish}
        </Button>
        <Button variant="default" onClick={onBack}>
          {general.back}
        </Button>
      </div>
    </>
  )
}
