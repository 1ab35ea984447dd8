import type { Bot } from '@docent/contract'
import { Button, Select, Slider, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { CurrencySelect } from '../../forms/currency-select.tsx'
import { EditorForm } from '../../forms/form.tsx'
import { useHasRole } from '../../session.ts'
import { formatPercent } from '../../text/format.ts'
import { contentLanguages } from '../../text/languages.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { DeleteBot } from './delete-bot.tsx'
import { useBot } from './use-bot.ts'

const DEFAULT_ANSWER_THRESHOLD = 0.5
const DEFAULT_SUGGEST_THRESHOLD = 0.2

export function BotSettingsPage() {
  const { settings } = useTexts()
  const read = useBot()
  const mayDelete = useHasRole('owner')
  return (
    <Page title={settings.title}>
      {read.error ? (
        <LoadError error={read.error} onRetry={() => read.refetch()} />
      ) : read.data ? (
        <>
          <Basics bot={read.data} />
          <AnswerSettings bot={read.data} />
          {mayDelete && <DeleteBot bot={read.data} />}
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function useSaveBot() {
  const { general } = useTexts()
  return useApiMutation('PATCH /api/manage/v1/bots/{botId}', { done: general.saved, silent: true })
}

function Basics({ bot }: { bot: Bot }) {
  const { settings: words, general } = useTexts()
  const [name, setName] = useState(bot.name)
  const [language, setLanguage] = useState(bot.language)
  const [site, setSite] = useState(bot.site_url ?? '')
  const [tone, setTone] = useState(bot.tone)
  const save = useSaveBot()
  const [sourcePages, setSourcePages] = useState(bot.source_pages)
  const [currency, setCurrency] = useState(bot.currency)
  const body = { name, language, site_url: withScheme(site) || null, currency, source_pages: sourcePages, tone }
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
        <CurrencySelect description={words.currencyHint} value={currency} onChange={setCurrency} />
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

function AnswerSettings({ bot }: { bot: Bot }) {
  const { settings: words, general } = useTexts()
  const [answerFrom, setAnswerFrom] = useState(bot.answer_threshold ?? DEFAULT_ANSWER_THRESHOLD)
  const [suggestFrom, setSuggestFrom] = useState(bot.suggest_threshold ?? DEFAULT_SUGGEST_THRESHOLD)
  const [fallback, setFallback] = useState(bot.fallback_message ?? '')
  const save = useSaveBot()
  const body = {
    answer_threshold: answerFrom === DEFAULT_ANSWER_THRESHOLD ? null : answerFrom,
    suggest_threshold: suggestFrom === DEFAULT_SUGGEST_THRESHOLD ? null : Math.min(suggestFrom, answerFrom),
    fallback_message: fallback.trim() || null,
  }
  const reset = () => {
    setAnswerFrom(DEFAULT_ANSWER_THRESHOLD)
    setSuggestFrom(DEFAULT_SUGGEST_THRESHOLD)
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
        <ThresholdSlider label={words.answerThreshold} value={answerFrom} onChange={setAnswerFrom} />
        <ThresholdSlider label={words.suggestThreshold} value={suggestFrom} onChange={setSuggestFrom} />
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

function ThresholdSlider({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (value: number) => void
}) {
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
