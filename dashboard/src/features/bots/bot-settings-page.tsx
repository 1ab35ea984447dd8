import type { Bot } from '@docent/contract'
import { Button, Select, Slider, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { EditorForm } from '../../forms/form.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { formatPercent } from '../../text/format.ts'
import { contentLanguages } from '../../text/languages.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { Card } from '../../ui/card.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { DeleteBot } from './delete-bot.tsx'
import { useBot } from './use-bot.ts'

const ANSWER_FROM = 0.5
const SUGGEST_FROM = 0.2

export function BotSettingsPage() {
  const { settings } = useMessages()
  const read = useBot()
  const mayDelete = useMay('owner')
  return (
    <Page title={settings.title}>
      {read.error ? (
        <Failed error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <>
          <Basics bot={read.data} />
          <Answering bot={read.data} />
          {mayDelete && <DeleteBot bot={read.data} />}
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function useSave() {
  const { general } = useMessages()
  return useAct('PATCH /api/manage/v1/bots/{botId}', { done: general.saved, silent: true })
}

function Basics({ bot }: { bot: Bot }) {
  const { settings: words, general } = useMessages()
  const [name, setName] = useState(bot.name)
  const [language, setLanguage] = useState(bot.language)
  const [site, setSite] = useState(bot.site_url ?? '')
  const [tone, setTone] = useState(bot.tone)
  const save = useSave()
  const [sourcePages, setSourcePages] = useState(bot.source_pages)
  const body = { name, language, site_url: withScheme(site) || null, source_pages: sourcePages, tone }
  return (
    <Card split title={words.basics}>
      <EditorForm
        action={general.save}
        pending={save.isPending}
        error={save.error}
        onSubmit={() => save.mutate({ params: { botId: bot.id }, body })}
      >
        <TextInput
          label={general.name}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={words.language}
          description={words.languageHint}
          searchable
          data={contentLanguages(bot.language)}
          value={language}
          onChange={(value) => value && setLanguage(value)}
        />
        <TextInput
          label={`${words.site} (${general.optional})`}
          description={words.siteHint}
          inputMode="url"
          placeholder="https://"
          value={site}
          error={fieldError(save.error, 'site_url') ?? null}
          onChange={(event) => setSite(event.currentTarget.value)}
        />
        <Switch
          label={words.sourcePages}
          description={words.sourcePagesHint}
          checked={sourcePages}
          onChange={(event) => setSourcePages(event.currentTarget.checked)}
        />
        <Select
          label={words.tone}
          data={Object.entries(words.tones).map(([value, label]) => ({ value, label }))}
          value={tone}
          onChange={(value) => value && setTone(value as Bot['tone'])}
        />
      </EditorForm>
    </Card>
  )
}

function Answering({ bot }: { bot: Bot }) {
  const { settings: words, general } = useMessages()
  const [answerFrom, setAnswerFrom] = useState(bot.answer_threshold ?? ANSWER_FROM)
  const [suggestFrom, setSuggestFrom] = useState(bot.suggest_threshold ?? SUGGEST_FROM)
  const [fallback, setFallback] = useState(bot.fallback_message ?? '')
  const save = useSave()
  const body = {
    answer_threshold: answerFrom === ANSWER_FROM ? null : answerFrom,
    suggest_threshold: suggestFrom === SUGGEST_FROM ? null : Math.min(suggestFrom, answerFrom),
    fallback_message: fallback.trim() || null,
  }
  const reset = () => {
    setAnswerFrom(ANSWER_FROM)
    setSuggestFrom(SUGGEST_FROM)
  }
  return (
    <Card split title={words.answering} about={words.answeringAbout}>
      <EditorForm
        action={general.save}
        pending={save.isPending}
        error={save.error}
        onSubmit={() => save.mutate({ params: { botId: bot.id }, body })}
        aside={
          <Button variant="subtle" onClick={reset}>
            {words.reset}
          </Button>
        }
      >
        <Level label={words.answerThreshold} value={answerFrom} onChange={setAnswerFrom} />
        <Level label={words.suggestThreshold} value={suggestFrom} onChange={setSuggestFrom} />
        <Textarea
          label={words.fallback}
          description={words.fallbackHint}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={1000}
          value={fallback}
          onChange={(event) => setFallback(event.currentTarget.value)}
        />
      </EditorForm>
    </Card>
  )
}

function Level({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <div className="stack tight">
      <div className="inline">
        <span>{label}</span>
        <strong className="number">{formatPercent(value)}</strong>
      </div>
      <Slider
        thumbLabel={label}
        label={null}
        min={0}
        max={1}
        step={0.05}
        value={value}
        onChange={(fresh) => onChange(Math.round(fresh * 100) / 100)}
      />
    </div>
  )
}
