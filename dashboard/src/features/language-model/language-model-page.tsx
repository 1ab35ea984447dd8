import type { Bot, LanguageModelPreset, ModelUsage } from '@docent/contract'
import { Button, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { joinForms, SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { useHasRole } from '../../session.ts'
import { formatCost, formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Figures } from '../../ui/figures.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { GeneratedQuestions, useGeneratedQuestions } from './generated-questions.tsx'
import { chooseProvider, languageModel, type ModelDraft, readDraft, writeDraft } from './model-draft.ts'
import { model as texts } from './model-texts.ts'
import { TestModel } from './test-model.tsx'

type Provider = NonNullable<Bot['language_model']>['provider']

export function LanguageModelPage() {
  const botQuery = useBot()
  const presets = useApiQuery('GET /api/manage/v1/language-model-presets', {})
  const error = botQuery.error ?? presets.error
  const retry = () => Promise.all([botQuery.refetch(), presets.refetch()])
  return (
    <Page title={texts.title} about={texts.about}>
      {error ? (
        <LoadError error={error} onRetry={retry} />
      ) : botQuery.data && presets.data ? (
        <>
          <Settings
            key={String(botQuery.data.language_model === null)}
            bot={botQuery.data}
            presets={presets.data.items}
          />
          {botQuery.data.language_model && <Usage botId={botQuery.data.id} />}
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

const CUSTOM = 'custom'

/** Empty until a provider is chosen. */
function presetIdOf({ language_model: set }: Bot, presets: LanguageModelPreset[]): string {
  if (!set) return ''
  const preset = presets.find(({ provider, base_url }) => provider === set.provider && base_url === set.base_url)
  return preset?.id ?? CUSTOM
}

/** The provider first, then what it needs. */
function Settings({ bot, presets }: { bot: Bot; presets: LanguageModelPreset[] }) {
  const { general } = useTexts()
  const readSaved = (from: Bot) => readDraft(from, presetIdOf(from, presets))
  const { draft, change, form, error: failure } = useBotDraft(bot, readSaved, writeDraft)
  const questions = useGeneratedQuestions(bot.id, bot.language_model !== null)
  const [ending, setEnding] = useState(false)
  const end = useApiMutation('PATCH /api/manage/v1/bots/{botId}', {
    done: general.saved,
    onDone: () => setEnding(false),
  })
  const preset = presets.find(({ id }) => id === draft.presetId)
  const choose = (id: string) => {
    const chosenPreset = presets.find((one) => one.id === id)
    change(chooseProvider(id, chosenPreset, readSaved(bot)))
  }
  if (!draft.presetId) return <ProviderChoice presets={presets} onChoose={choose} />
  const error = (path: string) => fieldError(failure, `language_model.${path}`) ?? null
  const fields = { draft, change, error, bot, preset }
  return (
    <SettingsForm {...joinForms({ ...form, valid: isComplete(draft) }, questions.form)}>
      <Card
        split
        title={texts.enabled}
        actions={
          bot.language_model && (
            <Button size="compact-sm" variant="light" color="red" onClick={() => setEnding(true)}>
              {texts.turnOff}
            </Button>
          )
        }
      >
        <Select
          label={texts.provider}
          data={[
            ...presets.map(({ id, name }) => ({ value: id, label: name })),
            { value: CUSTOM, label: texts.custom },
          ]}
          value={draft.presetId}
          onChange={(value) => value && choose(value)}
        />
        <Connection {...fields} />
        <Behaviour {...fields} />
        <details className="more-settings">
          <summary>{texts.more}</summary>
          <div className="stack">
            <FineTuning {...fields} />
          </div>
        </details>
      </Card>
      <GeneratedQuestions {...questions} />
      <ConfirmDialog
        opened={ending}
        title={texts.turnOffTitle}
        action={texts.turnOff}
        pending={end.isPending}
        onClose={() => setEnding(false)}
        onConfirm={() => end.mutate({ params: { botId: bot.id }, body: { language_model: null } })}
      >
        {texts.turnOffAbout}
      </ConfirmDialog>
    </SettingsForm>
  )
}

function isComplete({ model, provider, baseUrl }: ModelDraft): boolean {
  return model.trim() !== '' && (provider === 'anthropic' || baseUrl !== '')
}

function ProviderChoice({ presets, onChoose }: { presets: LanguageModelPreset[]; onChoose: (id: string) => void }) {
  const mayEdit = useHasRole('editor')
  const choices = [...presets.map(({ id, name }) => ({ id, name })), { id: CUSTOM, name: texts.custom }]
  return (
    <Card title={texts.enabled} about={texts.chooseProvider}>
      <div className="provider-choice">
        {choices.map(({ id, name }) => (
          <Button key={id} variant="default" disabled={!mayEdit} onClick={() => onChoose(id)}>
            {name}
          </Button>
        ))}
      </div>
    </Card>
  )
}

interface Props {
  bot: Bot
  draft: ModelDraft
  change: (part: Partial<ModelDraft>) => void
  error: (path: string) => string | null
  /** Undefined: another provider. */
  preset: LanguageModelPreset | undefined
}

/** A local server's address is one's own, and so is one with a part to replace. */
function hasOwnAddress(preset: LanguageModelPreset | undefined): boolean {
  return !preset?.needs_key || (preset.base_url ?? '').includes('{')
}

function Connection({ bot, draft, change, error, preset }: Props) {
  const { general } = useTexts()
  const isOptional = draft.provider === 'anthropic'
  return (
    <>
      {!preset && (
        <Select
          label={texts.protocol}
          data={Object.entries(texts.providers).map(([value, label]) => ({ value, label }))}
          value={draft.provider}
          onChange={(value) => value && change({ provider: value as Provider })}
        />
      )}
      {(hasOwnAddress(preset) || error('base_url')) && (
        <TextInput
          label={isOptional ? `${texts.baseUrl} (${general.optional})` : texts.baseUrl}
          description={texts.baseUrlHint}
          inputMode="url"
          required={!isOptional}
          value={draft.baseUrl}
          error={error('base_url')}
          onChange={(event) => change({ baseUrl: event.currentTarget.value })}
        />
      )}
      {preset?.needs_key && <KeyField bot={bot} draft={draft} change={change} error={error} preset={preset} />}
      <TextInput
        label={texts.model}
        required
        {...(preset ? { placeholder: preset.model } : {})}
        value={draft.model}
        error={error('model')}
        onChange={(event) => change({ model: event.currentTarget.value })}
      />
      {!preset && <KeyField bot={bot} draft={draft} change={change} error={error} preset={preset} />}
      <TestModel botId={bot.id} settings={languageModel(draft)} />
    </>
  )
}

function KeyField({ bot, draft, change, error, preset }: Props) {
  const { general } = useTexts()
  const set = bot.language_model
  return (
    <>
      <PasswordInput
        label={preset?.needs_key ? texts.key : `${texts.key} (${general.optional})`}
        description={set?.api_key_set ? texts.keySet(set.api_key_last_four ?? '') : texts.keyHint}
        autoComplete="off"
        value={draft.key}
        error={error('api_key')}
        aria-invalid={Boolean(error('api_key'))}
        onChange={(event) => change({ key: event.currentTarget.value })}
      />
      {preset?.key_url && !set?.api_key_set && (
        <a href={preset.key_url} target="_blank" rel="noreferrer">
          {texts.getKey}
        </a>
      )}
    </>
  )
}

function Behaviour({ draft, change, error }: Props) {
  const { general } = useTexts()
  return (
    <>
      <Textarea
        label={`${texts.instructions} (${general.optional})`}
        description={texts.instructionsHint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={draft.instructions}
        error={error('instructions')}
        onChange={(event) => change({ instructions: event.currentTarget.value })}
      />
      <Switch
        label={texts.answers}
        description={texts.answersHint}
        checked={draft.answers}
        onChange={(event) => change({ answers: event.currentTarget.checked })}
      />
      <Switch
        label={texts.citations}
        checked={draft.cited}
        onChange={(event) => change({ cited: event.currentTarget.checked })}
      />
      <NumberInput
        label={texts.dailyLimit}
        description={texts.dailyLimitHint}
        min={0}
        value={draft.daily}
        error={error('daily_calls')}
        onChange={(daily) => change({ daily })}
      />
    </>
  )
}

/** What works well as it is. */
function FineTuning(props: Props) {
  const { draft, change, error, preset } = props
  return (
    <>
      {/* Some local servers have one. */}
      {preset && !preset.needs_key && <KeyField {...props} />}
      <div className="halves">
        <NumberInput
          label={texts.temperature}
          description={texts.temperatureHint}
          min={0}
          max={2}
          step={0.1}
          value={draft.temperature}
          error={error('temperature')}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberInput
          label={texts.timeout}
          description={texts.timeoutHint}
          min={1}
          max={120}
          value={draft.seconds}
          error={error('timeout_ms')}
          onChange={(seconds) => change({ seconds })}
        />
      </div>
      <NumberInput
        label={texts.maxTokens}
        min={16}
        max={8192}
        value={draft.maxTokens}
        error={error('max_output_tokens')}
        onChange={(maxTokens) => change({ maxTokens })}
      />
      <NumberInput
        label={texts.context}
        description={texts.contextHint}
        min={500}
        max={32_000}
        step={500}
        value={draft.context}
        error={error('context_tokens')}
        onChange={(context) => change({ context })}
      />
      <div className="halves">
        <NumberInput
          label={texts.inputPrice}
          min={0}
          value={draft.inputPrice}
          onChange={(inputPrice) => change({ inputPrice })}
        />
        <NumberInput
          label={texts.outputPrice}
          min={0}
          value={draft.outputPrice}
          onChange={(outputPrice) => change({ outputPrice })}
        />
      </div>
    </>
  )
}

function Usage({ botId }: { botId: string }) {
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/model-usage', {
    params: { botId },
    query: { days: 30 },
  })
  if (!data) return null
  const { calls, failed, input_tokens, output_tokens, cost } = data.total
  return (
    <Card title={texts.usage}>
      {data.today.limit_reached && <Notice tone="warn">{texts.limitReached}</Notice>}
      <Figures
        figures={[
          { label: texts.calls, value: calls },
          { label: texts.callsToday, value: callsToday(data.today) },
          { label: texts.failed, value: failed },
          { label: texts.tokens, value: `${formatNumber(input_tokens)} / ${formatNumber(output_tokens)}` },
          { label: texts.cost, value: formatCost(cost) },
        ]}
      />
    </Card>
  )
}

/** Relative to the bot's own limit, or else the workspace's. */
function callsToday({ calls, limit, workspace_calls, workspace_limit }: ModelUsage['today']): string {
  return limit === null
    ? `${formatNumber(workspace_calls)} / ${formatNumber(workspace_limit)}`
    : `${formatNumber(calls)} / ${formatNumber(limit)}`
}
