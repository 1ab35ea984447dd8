import type { Feed, ShopKey } from '@docent/contract'
import { Checkbox, Modal, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { CurrencySelect } from '../../forms/currency-select.tsx'
import { Form } from '../../forms/form.tsx'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'
import { texts } from './feed-texts.ts'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
  feed?: Feed
}

export function FeedForm({ opened, onClose, ...props }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={props.feed ? texts.settings : texts.add}>
      <Fields {...props} onClose={onClose} />
    </Modal>
  )
}

const INTERVALS = [1, 6, 12, 24] as const
type Source = keyof typeof texts.sources

function Fields({ botId, feed, onClose }: Omit<Props, 'opened'>) {
  const { general } = useTexts()
  const [source, setSource] = useState<Source>(feed?.shop?.type ?? 'feed')
  const [url, setUrl] = useState('')
  const [key, setKey] = useState<ShopKeyDraft>({ key: '', secret: '' })
  const [every, setEvery] = useState(feed ? String(feed.every_hours ?? '') : '24')
  const [currency, setCurrency] = useState(feed?.currency ?? null)
  const [removes, setRemoves] = useState(feed?.remove_missing ?? false)
  const acting = { silent: true, onDone: onClose }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/feeds', { ...acting, done: texts.added })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}', { ...acting, done: general.saved })
  const error = create.error ?? change.error
  const shop = source === 'feed' || key.key.trim() === '' ? undefined : shopKey(source, key)
  const settings = {
    every_hours: INTERVALS.find((hours) => String(hours) === every) ?? null,
    currency,
    remove_missing: removes,
    ...(shop ? { shop } : {}),
  }
  // The URL is shown without its secrets, so it is sent only if entered again.
  const submit = () =>
    feed
      ? change.mutate({
          params: { botId, feedId: feed.id },
          body: { ...settings, ...(url.trim() ? { url: withScheme(url) } : {}) },
        })
      : create.mutate({ params: { botId }, body: { ...settings, url: withScheme(url) } })
  return (
    <Form
      onCancel={onClose}
      action={feed ? general.save : texts.start}
      pending={create.isPending || change.isPending}
      error={error}
      onSubmit={submit}
    >
      {!feed && (
        <Select
          label={texts.source}
          data={Object.entries(texts.sources).map(([value, label]) => ({ value, label }))}
          value={source}
          allowDeselect={false}
          onChange={(value) => setSource((value ?? 'feed') as Source)}
        />
      )}
      <TextInput
        label={source === 'feed' ? texts.url : texts.address}
        description={addressHint(source, feed)}
        inputMode="url"
        placeholder={feed?.url ?? (source === 'shopify' ? 'https://my-shop.myshopify.com' : 'https://')}
        required={!feed}
        data-autofocus
        value={url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      {source !== 'feed' && (
        <KeyFields
          type={source}
          stored={feed?.shop?.key_hint}
          draft={key}
          problem={fieldError(error, 'shop') ?? null}
          onChange={setKey}
        />
      )}
      <Select
        label={texts.schedule}
        data={[
          ...INTERVALS.map((hours) => ({ value: String(hours), label: texts.everyHours(hours) })),
          { value: '', label: texts.manually },
        ]}
        value={every}
        onChange={(value) => setEvery(value ?? '')}
      />
      {source === 'feed' && <CurrencySelect description={texts.currencyHint} value={currency} onChange={setCurrency} />}
      <Checkbox
        label={texts.removeMissing}
        description={texts.removeMissingHint}
        checked={removes}
        onChange={(event) => setRemoves(event.currentTarget.checked)}
      />
    </Form>
  )
}

function addressHint(source: Source, feed: Feed | undefined): string {
  if (source === 'feed') return feed ? texts.urlKept : texts.urlHint
  return feed ? texts.addressKept : texts.addressHints[source]
}

interface ShopKeyDraft {
  /** Shopify's access token, or WooCommerce's consumer key. */
  key: string
  secret: string
}

function shopKey(type: ShopKey['type'], { key, secret }: ShopKeyDraft): ShopKey {
  return type === 'shopify'
    ? { type, access_token: key.trim() }
    : { type, consumer_key: key.trim(), consumer_secret: secret.trim() }
}

interface KeyFieldsProps {
  type: ShopKey['type']
  /** The end of the key that is stored. */
  stored: string | undefined
  draft: ShopKeyDraft
  problem: string | null
  onChange: (draft: ShopKeyDraft) => void
}

/** What is stored can be replaced, never read. */
function KeyFields({ type, stored, draft, problem, onChange }: KeyFieldsProps) {
  const isShopify = type === 'shopify'
  const hint = isShopify ? texts.accessTokenHint : texts.consumerKeyHint
  const isRequired = stored === undefined
  return (
    <>
      <PasswordInput
        label={isShopify ? texts.accessToken : texts.consumerKey}
        description={isRequired ? hint : texts.keyStored(stored)}
        required={isRequired}
        maxLength={500}
        autoComplete="off"
        value={draft.key}
        error={problem}
        onChange={(event) => onChange({ ...draft, key: event.currentTarget.value })}
      />
      {!isShopify && (
        <PasswordInput
          label={texts.consumerSecret}
          required={isRequired || draft.key.trim() !== ''}
          maxLength={500}
          autoComplete="off"
          value={draft.secret}
          onChange={(event) => onChange({ ...draft, secret: event.currentTarget.value })}
        />
      )}
    </>
  )
}
