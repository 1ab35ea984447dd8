import type { Feed } from '@docent/contract'
import { Checkbox, Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { CurrencySelect } from '../../forms/currency-select.tsx'
import { Form } from '../../forms/form.tsx'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'

interface Props {
  botId: string
  opened: boolean
  onClose: () => void
  feed?: Feed
}

export function FeedForm({ opened, onClose, ...props }: Props) {
  const { feeds: words } = useTexts()
  return (
    <Modal opened={opened} onClose={onClose} title={props.feed ? words.settings : words.add}>
      <Fields {...props} onClose={onClose} />
    </Modal>
  )
}

const intervals = [1, 6, 12, 24] as const

function Fields({ botId, feed, onClose }: Omit<Props, 'opened'>) {
  const { feeds: words, general } = useTexts()
  const [url, setUrl] = useState('')
  const [every, setEvery] = useState(feed ? String(feed.every_hours ?? '') : '24')
  const [currency, setCurrency] = useState(feed?.currency ?? null)
  const [removes, setRemoves] = useState(feed?.remove_missing ?? false)
  const acting = { silent: true, onDone: onClose }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/feeds', { ...acting, done: words.added })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/feeds/{feedId}', { ...acting, done: general.saved })
  const error = create.error ?? change.error
  const settings = {
    every_hours: intervals.find((hours) => String(hours) === every) ?? null,
    currency,
    remove_missing: removes,
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
      action={feed ? general.save : words.start}
      pending={create.isPending || change.isPending}
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label={words.url}
        description={feed ? words.urlKept : words.urlHint}
        inputMode="url"
        placeholder={feed?.url ?? 'https://'}
        required={!feed}
        data-autofocus
        value={url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Select
        label={words.schedule}
        data={[
          ...intervals.map((hours) => ({ value: String(hours), label: words.everyHours(hours) })),
          { value: '', label: words.manually },
        ]}
        value={every}
        onChange={(value) => setEvery(value ?? '')}
      />
      <CurrencySelect description={words.currencyHint} value={currency} onChange={setCurrency} />
      <Checkbox
        label={words.removeMissing}
        description={words.removeMissingHint}
        checked={removes}
        onChange={(event) => setRemoves(event.currentTarget.checked)}
      />
    </Form>
  )
}
