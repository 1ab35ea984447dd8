import type { Bot, LanguageModelPreset, ModelUsage } from '@docent/contract'
import { Button, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { EditorForm } from '../../forms/form.tsx'
import { formatCost, formatNumber } from '../../text/format.ts'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Figures } from '../../ui/figures.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { GeneratedQuestions } from './generated-questions.tsx'
import { modelTexts } from './model-texts.ts'
import { TestModel } from './test-model.tsx'

type Provider = NonNullable<Bot['language_model']>['provider']

export function LanguageModelPage() {
  const { model: words } = useTexts()
  const read = useBot()
  const presets = useApiQuery('GET /api/manage/v1/language-model-presets', {})
  const error = read.error ?? presets.error
  const retry = () => Promise.all([read.refetch(), presets.refetch()])
  return (
    <Page title={words.title} about={words.about}>
      {error ? (
        <LoadError error={error} onRetry={retry} />
      ) : read.data && presets.data ? (
        <>
          <Settings key={String(read.data.language_model === null)} bot={read.data} presets={presets.data.items} />
          {read.data.language_model && <GeneratedQuestions botId={read.data.id} />}
          {read.data.language_model && <Usage botId={read.data.id} />}
        </>
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

const DEFAULT_TEMPERATURE = 0.2

const CUSTOM = 'custom'
const FIRST_OFFERED = 'ollama'

/** The preset of stored settings, if they are one's own. */
function presetOf(set: Pick<LanguageModelPreset, 'provider' | 'base_url'>, presets: LanguageModelPreset[]) {
  return presets.find(({ provider, base_url }) => provider === set.provider && base_url === set.base_url)
}

function Settings({ bot, presets }: { bot: Bot; presets: LanguageModelPreset[] }) {
  const { model: words, general } = useTexts()
  const set = bot.language_model
  const [provider, setProvider] = useState<Provider>(set?.provider ?? 'openai_compatible')
  const offered = set ? presetOf(set, presets) : presets.find(({ id }) => id === FIRST_OFFERED)
  const [presetId, setPresetId] = useState(offered?.id ?? CUSTOM)
  const preset = presets.find(({ id }) => id === presetId)
  const [baseUrl, setBaseUrl] = useState(set ? (set.base_url ?? '') : (offered?.base_url ?? ''))
  const [context, setContext] = useState<number | string>((set ?? offered)?.context_tokens ?? '')
  const [model, setModel] = useState(set?.model ?? '')
  const [key, setKey] = useState('')
  const [instructions, setInstructions] = useState(set?.instructions ?? '')
  const [answers, setAnswers] = useState(set?.writes_answers ?? true)
  const [cited, setCited] = useState((set?.citations ?? 'required') === 'required')
  const [daily, setDaily] = useState<number | string>(set?.daily_calls ?? '')
  const [inputPrice, setInputPrice] = useState<number | string>(set?.input_price_per_million ?? '')
  const [outputPrice, setOutputPrice] = useState<number | string>(set?.output_price_per_million ?? '')
  const [temperature, setTemperature] = useState<number | string>(set ? (set.temperature ?? '') : DEFAULT_TEMPERATURE)
  const [maxTokens, setMaxTokens] = useState<number | string>(set?.max_output_tokens ?? '')
  const [seconds, setSeconds] = useState<number | string>(set ? set.timeout_ms / 1000 : '')
  const [ending, setEnding] = useState(false)
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}', {
    done: general.saved,
    silent: true,
    onDone: () => {
      setKey('')
      setEnding(false)
    },
  })
  const price = (value: number | string) => (typeof value === 'number' ? value : null)
  const body = {
    language_model: {
      temperature: typeof temperature === 'number' ? temperature : null,
      // Left out, the server uses its defaults.
      ...(typeof maxTokens === 'number' ? { max_output_tokens: maxTokens } : {}),
      ...(typeof seconds === 'number' ? { timeout_ms: Math.round(seconds * 1000) } : {}),
      ...(typeof context === 'number' ? { context_tokens: context } : {}),
      provider,
      base_url: withScheme(baseUrl) || null,
      model: model.trim(),
      ...(key ? { api_key: key.trim() } : {}),
      instructions: instructions.trim() || null,
      writes_answers: answers,
      citations: cited ? ('required' as const) : ('optional' as const),
      daily_calls: typeof daily === 'number' ? daily : null,
      input_price_per_million: price(inputPrice),
      output_price_per_million: price(outputPrice),
    },
  }
  const needsKey = preset?.needs_key ?? false
  const texts = modelTexts()
  const choose = (id: string) => {
    setPresetId(id)
    const chosen = presets.find((one) => one.id === id)
    if (!chosen) return
    setProvider(chosen.provider)
    setBaseUrl(chosen.base_url ?? '')
    setContext(chosen.context_tokens)
    setSeconds(chosen.timeout_ms / 1000)
  }
  const params = { botId: bot.id }
  const error = (path: string) => fieldError(save.error, `language_model.${path}`) ?? null
  return (
    <Card split title={words.enabled}>
      <EditorForm
        action={general.save}
        pending={save.isPending}
        error={save.error}
        onSubmit={() => save.mutate({ params, body })}
        aside={
          set && (
            <Button variant="light" color="red" onClick={() => setEnding(true)}>
              {words.turnOff}
            </Button>
          )
        }
      >
        <Select
          label={words.provider}
          data={[
            ...presets.map(({ id, name }) => ({ value: id, label: name })),
            { value: CUSTOM, label: words.custom },
          ]}
          value={presetId}
          onChange={(value) => value && choose(value)}
        />
        {!preset && (
          <Select
            label={words.protocol}
            data={Object.entries(words.providers).map(([value, label]) => ({ value, label }))}
            value={provider}
            onChange={(value) => value && setProvider(value as Provider)}
          />
        )}
        <TextInput
          label={provider === 'anthropic' ? `${words.baseUrl} (${general.optional})` : words.baseUrl}
          description={words.baseUrlHint}
          inputMode="url"
          required={provider !== 'anthropic'}
          value={baseUrl}
          error={error('base_url')}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
        />
        <TextInput
          label={words.model}
          required
          {...(preset ? { placeholder: preset.model } : {})}
          value={model}
          error={error('model')}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <PasswordInput
          label={needsKey ? words.key : `${words.key} (${general.optional})`}
          description={set?.api_key_set ? words.keySet(set.api_key_last_four ?? '') : words.keyHint}
          autoComplete="off"
          value={key}
          error={error('api_key')}
          aria-invalid={Boolean(error('api_key'))}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {preset?.key_url && !set?.api_key_set && (
          <a href={preset.key_url} target="_blank" rel="noreferrer">
            {texts.getKey}
          </a>
        )}
        <TestModel botId={bot.id} settings={body.language_model} />
        <Textarea
          label={`${words.instructions} (${general.optional})`}
          description={words.instructionsHint}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          value={instructions}
          error={error('instructions')}
          onChange={(event) => setInstructions(event.currentTarget.value)}
        />
        <Switch
          label={words.answers}
          description={words.answersHint}
          checked={answers}
          onChange={(event) => setAnswers(event.currentTarget.checked)}
        />
        <Switch label={words.citations} checked={cited} onChange={(event) => setCited(event.currentTarget.checked)} />
        <div className="halves">
          <NumberInput
            label={words.temperature}
            description={words.temperatureHint}
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            error={error('temperature')}
            onChange={setTemperature}
          />
          <NumberInput
            label={words.timeout}
            description={words.timeoutHint}
            min={1}
            max={120}
            value={seconds}
            error={error('timeout_ms')}
            onChange={setSeconds}
          />
        </div>
        <NumberInput
          label={words.maxTokens}
          min={16}
          max={8192}
          value={maxTokens}
          error={error('max_output_tokens')}
          onChange={setMaxTokens}
        />
        <NumberInput
          label={texts.context}
          description={texts.contextHint}
          min={500}
          max={32_000}
          step={500}
          value={context}
          error={error('context_tokens')}
          onChange={setContext}
        />
        <NumberInput
          label={words.dailyLimit}
          description={words.dailyLimitHint}
          min={0}
          value={daily}
          error={error('daily_calls')}
          onChange={setDaily}
        />
        <div className="halves">
          <NumberInput label={words.inputPrice} min={0} value={inputPrice} onChange={setInputPrice} />
          <NumberInput label={words.outputPrice} min={0} value={outputPrice} onChange={setOutputPrice} />
        </div>
      </EditorForm>
      <ConfirmDialog
        opened={ending}
        title={words.turnOffTitle}
        action={words.turnOff}
        pending={save.isPending}
        onClose={() => setEnding(false)}
        onConfirm={() => save.mutate({ params, body: { language_model: null } })}
      >
        {words.turnOffAbout}
      </ConfirmDialog>
    </Card>
  )
}

function Usage({ botId }: { botId: string }) {
  const { model: words } = useTexts()
  const { data } = useApiQuery('GET /api/manage/v1/bots/{botId}/model-usage', {
    params: { botId },
    query: { days: 30 },
  })
  if (!data) return null
  const { calls, failed, input_tokens, output_tokens, cost } = data.total
  return (
    <Card title={words.usage}>
      {data.today.limit_reached && <Notice tone="warn">{words.limitReached}</Notice>}
      <Figures
        figures={[
          { label: words.calls, value: calls },
          { label: words.callsToday, value: callsToday(data.today) },
          { label: words.failed, value: failed },
          { label: words.tokens, value: `${formatNumber(input_tokens)} / ${formatNumber(output_tokens)}` },
          { label: words.cost, value: formatCost(cost) },
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
