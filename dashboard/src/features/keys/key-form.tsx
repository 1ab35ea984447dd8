import type { Key, Overlap } from '@docent/contract'
import { Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { withScheme } from '../../text/with-scheme.ts'
import { useTexts } from '../../texts/texts.tsx'

type CreatedSecrets = { key?: string; webhook_secret?: string }

interface Props {
  botId: string
  /** The key to edit, or 'new'; null closes the form. */
  edited: Key | 'new' | null
  onClose: () => void
  onDone: (secrets: CreatedSecrets) => void
}

const DAY_MS = 86_400_000
const days: Record<string, number> = { month: 30, quarter: 90, year: 365 }

export function KeyForm({ edited, onClose, ...props }: Props) {
  const { keys: texts, general } = useTexts()
  return (
    <Modal opened={edited !== null} onClose={onClose} title={edited === 'new' ? texts.create : general.edit}>
      {edited && <Fields {...props} edited={edited} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ botId, edited, onClose, onDone }: Props & { edited: Key | 'new' }) {
  const { keys: texts, general } = useTexts()
  const old = edited === 'new' ? null : edited
  const [name, setName] = useState(old?.name ?? '')
  const [expiry, setExpiry] = useState(old?.expires_at ? 'kept' : 'never')
  const [mirror, setMirror] = useState(old?.webhook_url ?? '')
  const finish = (secrets: CreatedSecrets) => {
    onClose()
    onDone(secrets)
  }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/keys', { silent: true, onDone: finish })
  const change = useApiMutation('PATCH /api/manage/v1/bots/{botId}/keys/{keyId}', {
    silent: true,
    done: general.saved,
    onDone: finish,
  })
  const body = {
    name,
    webhook_url: withScheme(mirror) || null,
    ...(expiry === 'kept' ? {} : { expires_at: expiresAt(expiry) }),
  }
  const submit = () =>
    old ? change.mutate({ params: { botId, keyId: old.id }, body }) : create.mutate({ params: { botId }, body })
  const error = create.error ?? change.error
  const choices = Object.entries(texts.expiry).map(([value, label]) => ({ value, label }))
  const keptChoices = old?.expires_at ? [{ value: 'kept', label: old.expires_at.slice(0, 10) }] : []
  return (
    <Form
      onCancel={onClose}
      action={old ? general.save : texts.submit}
      pending={create.isPending || change.isPending}
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label={general.name}
        description={texts.nameHint}
        required
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={texts.expires}
        data={[...keptChoices, ...choices]}
        value={expiry}
        onChange={(value) => value && setExpiry(value)}
      />
      <TextInput
        label={`${texts.mirror} (${general.optional})`}
        description={texts.mirrorHint}
        inputMode="url"
        placeholder="https://"
        value={mirror}
        error={fieldError(error, 'webhook_url') ?? null}
        onChange={(event) => setMirror(event.currentTarget.value)}
      />
    </Form>
  )
}

function expiresAt(choice: string): string | null {
  const count = days[choice]
  return count ? new Date(Date.now() + count * DAY_MS).toISOString() : null
}

interface RotateKeyProps {
  botId: string
  rotated: Key | null
  onClose: () => void
  onDone: (secrets: { key?: string; webhook_secret?: string }) => void
}

export function RotateKey({ botId, rotated, onClose, onDone }: RotateKeyProps) {
  const { keys: texts } = useTexts()
  const [overlap, setOverlap] = useState<Overlap>('24h')
  const rotate = useApiMutation('POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate', {
    silent: true,
    onDone: (secrets) => {
      onClose()
      onDone(secrets)
    },
  })
  return (
    <Modal opened={rotated !== null} onClose={onClose} title={texts.rotateTitle}>
      <Form
        onCancel={onClose}
        action={texts.rotate}
        pending={rotate.isPending}
        error={rotate.error}
        onSubmit={() => rotated && rotate.mutate({ params: { botId, keyId: rotated.id }, body: { overlap } })}
      >
        <p>{texts.rotateAbout}</p>
        <Select
          label={texts.overlap}
          data={Object.entries(texts.overlaps).map(([value, label]) => ({ value, label }))}
          value={overlap}
          onChange={(value) => value && setOverlap(value as Overlap)}
        />
      </Form>
    </Modal>
  )
}
