import type { Bot } from '@docent/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { reloadQueries, useApiMutation } from '../../api.ts'
import { client, fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { toast } from '../../forms/toast.tsx'
import { useSession } from '../../session.ts'
import { explainError } from '../../text/explain-error.ts'
import { CONTENT_LANGUAGES, contentLanguages } from '../../text/languages.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { currentLanguage, useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { usePathScope } from '../websites/path-scope.tsx'
import { texts } from './new-bot-texts.ts'

interface Props {
  onCreated: (bot: Bot, hasContent: boolean) => void
}

export function StartStep({ onCreated }: Props) {
  const [hasWebsite, setHasWebsite] = useState(true)
  return hasWebsite ? (
    <WebsiteStart onCreated={onCreated} onOther={() => setHasWebsite(false)} />
  ) : (
    <NameStart onCreated={onCreated} onOther={() => setHasWebsite(true)} />
  )
}

type StartProps = Props & { onOther: () => void }

/** Everything from one URL. It is read before the bot is created, so that a wrong one is reported here. */
function WebsiteStart({ onCreated, onOther }: StartProps) {
  const allTexts = useTexts()
  const place = usePlace()
  const [site, setSite] = useState('')
  const scope = usePathScope(site)
  const start = useMutation({
    mutationFn: async (address: string) => {
      const website = await client.request('POST /api/manage/v1/website-preview', { body: { url: address } })
      const { url, name, language, colour, logo_url } = website
      const bot = await client.request('POST /api/manage/v1/bots', {
        body: {
          name,
          site_url: url,
          ...place,
          language: language && CONTENT_LANGUAGES.includes(language) ? language : currentLanguage(),
          widget: { logo_url, ...(colour ? { colour } : {}) },
        },
      })
      const crawl = client.request('POST /api/manage/v1/bots/{botId}/crawls', {
        params: { botId: bot.id },
        body: { url, include: scope.include(url) },
      })
      // The bot exists, so this form must not be sent again: the next step offers the website once more.
      const isCrawling = await crawl.then(
        () => true,
        (error) => {
          toast(explainError(error, allTexts), 'bad')
          return false
        },
      )
      return { bot, isCrawling }
    },
    onSuccess: () => void reloadQueries(),
  })
  // Not called for somebody who has left this screen meanwhile.
  const onSuccess = ({ bot, isCrawling }: { bot: Bot; isCrawling: boolean }) => onCreated(bot, isCrawling)
  return (
    <Card split title={texts.siteTitle} about={texts.siteAbout}>
      <Form
        action={texts.readSite}
        pending={start.isPending}
        error={start.error}
        aside={<OtherWay label={texts.withoutSite} pending={start.isPending} onClick={onOther} />}
        onSubmit={() => start.mutate(withScheme(site), { onSuccess })}
      >
        <TextInput
          label={texts.url}
          description={texts.urlHint}
          placeholder="https://www.example.com"
          inputMode="url"
          required
          autoFocus
          value={site}
          error={fieldError(start.error, 'url') ?? null}
          onChange={(event) => setSite(event.currentTarget.value)}
        />
        {scope.checkbox}
      </Form>
    </Card>
  )
}

function NameStart({ onCreated, onOther }: StartProps) {
  const { general } = useTexts()
  const place = usePlace()
  const [name, setName] = useState('')
  const [language, setLanguage] = useState<string>(currentLanguage())
  const create = useApiMutation('POST /api/manage/v1/bots', { silent: true, onDone: (bot) => onCreated(bot, false) })
  return (
    <Card split title={texts.nameTitle}>
      <Form
        action={texts.create}
        pending={create.isPending}
        error={create.error}
        aside={<OtherWay label={texts.withSite} pending={create.isPending} onClick={onOther} />}
        onSubmit={() => create.mutate({ body: { name, language, ...place } })}
      >
        <TextInput
          label={general.name}
          description={texts.nameHint}
          required
          autoFocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={texts.language}
          searchable
          data={contentLanguages()}
          value={language}
          onChange={(value) => value && setLanguage(value)}
        />
      </Form>
    </Card>
  )
}

function OtherWay({ label, pending, onClick }: { label: string; pending: boolean; onClick: () => void }) {
  return (
    <Button variant="subtle" disabled={pending} onClick={onClick}>
      {label}
    </Button>
  )
}

/** The instance owner names the workspace; others have only one. */
function usePlace(): { workspace_id?: string } {
  const { workspace_id, instance_owner } = useSession()
  return instance_owner && workspace_id ? { workspace_id } : {}
}
