import type { Bot } from '@docent/contract'
import { DEFAULT_ANSWER_THRESHOLD, DEFAULT_SUGGEST_THRESHOLD } from '@docent/contract/limits'
import { SCREENS } from '@docent/contract/screens'
import { Button, Modal, Select, Slider, Switch, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { CurrencySelect } from '../../forms/currency-select.tsx'
import { Form } from '../../forms/form.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useHasRole } from '../../session.ts'
import { formatPercent } from '../../text/format.ts'
import { contentLanguages } from '../../text/languages.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from './use-bot.ts'

export function BotSettingsPage() {
  const { settings } = useTexts()
  const bot = useBot()
  const mayDelete = useHasRole('owner')
  return (
    <Page title={settings.title}>
      {bot.error ? (
        <LoadError error={bot.error} onRetry={() => bot.refetch()} />
      ) : bot.data ? (
        <>
          <Settings key={bot.data.id} bot={bot.data} />
          {mayDelete && <DeleteBot bot={bot.data} />}
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

function Settings({ bot }: { bot: Bot }) {
  const { draft, change, form, error } = useBotDraft(bot, read, write)
  return (
    <SettingsForm {...form} valid={draft.name.trim() !== ''}>
      <Basics draft={draft} change={change} error={error} />
      <AnswerSettings draft={draft} change={change} />
    </SettingsForm>
  )
}

function read(bot: Bot) {
  const { name, language, tone, currency } = bot
  return {
    name,
    language,
    tone,
    currency,
    site: bot.site_url ?? '',
    sourcePages: bot.source_pages,
    answerFrom: bot.answer_threshold ?? DEFAULT_ANSWER_THRESHOLD,
    suggestFrom: bot.suggest_threshold ?? DEFAULT_SUGGEST_THRESHOLD,
    fallback: bot.fallback_message ?? '',
  }
}
type Draft = ReturnType<typeof read>

function write({ site, sourcePages, answerFrom, suggestFrom, fallback, ...rest }: Draft) {
  return {
    ...rest,
    site_url: withScheme(site) || null,
    source_pages: sourcePages,
    answer_threshold: answerFrom === DEFAULT_ANSWER_THRESHOLD ? null : answerFrom,
    suggest_threshold: suggestFrom === DEFAULT_SUGGEST_THRESHOLD ? null : Math.min(suggestFrom, answerFrom),
    fallback_message: fallback.trim() || null,
  }
}

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function Basics({ draft, change, error }: Props & { error: unknown }) {
  const { settings: texts, general } = useTexts()
  const { name, language, site, currency, sourcePages, tone } = draft
  return (
    <Card split title={texts.basics}>
      <TextInput
        label={general.name}
        required
        maxLength={200}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        label={texts.language}
        description={texts.languageHint}
        searchable
        data={contentLanguages(language)}
        value={language}
        onChange={(value) => value && change({ language: value })}
      />
      <TextInput
        label={`${texts.site} (${general.optional})`}
        description={texts.siteHint}
        inputMode="url"
        placeholder="https://"
        value={site}
        error={fieldError(error, 'site_url') ?? null}
        onChange={(event) => change({ site: event.currentTarget.value })}
      />
      <CurrencySelect
        description={texts.currencyHint}
        value={currency}
        onChange={(value) => change({ currency: value })}
      />
      <Switch
        label={texts.sourcePages}
        description={texts.sourcePagesHint}
        checked={sourcePages}
        onChange={(event) => change({ sourcePages: event.currentTarget.checked })}
      />
      <Select
        label={texts.tone}
        data={Object.entries(texts.tones).map(([value, label]) => ({ value, label }))}
        value={tone}
        onChange={(value) => value && change({ tone: value as Bot['tone'] })}
      />
    </Card>
  )
}

function AnswerSettings({ draft, change }: Props) {
  const { settings: texts } = useTexts()
  const { answerFrom, suggestFrom, fallback } = draft
  const defaults = { answerFrom: DEFAULT_ANSWER_THRESHOLD, suggestFrom: DEFAULT_SUGGEST_THRESHOLD }
  return (
    <Card split title={texts.answering} about={texts.answeringAbout}>
      <ThresholdSlider
        label={texts.answerThreshold}
        value={answerFrom}
        onChange={(value) => change({ answerFrom: value })}
      />
      <ThresholdSlider
        label={texts.suggestThreshold}
        value={suggestFrom}
        onChange={(value) => change({ suggestFrom: value })}
      />
      <div>
        <Button variant="subtle" size="compact-sm" onClick={() => change(defaults)}>
          {texts.reset}
        </Button>
      </div>
      <Textarea
        label={texts.fallback}
        description={texts.fallbackHint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={fallback}
        onChange={(event) => change({ fallback: event.currentTarget.value })}
      />
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

/** Deletes the bot with all its data, so its name must be typed. */
function DeleteBot({ bot }: { bot: Bot }) {
  const { settings: texts, general } = useTexts()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [typedName, setTypedName] = useState('')
  const remove = useApiMutation('DELETE /api/manage/v1/bots/{botId}', {
    done: texts.removedBot,
    onDone: () => navigate({ to: SCREENS.bots }),
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
