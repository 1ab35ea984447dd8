import type { Key, Overlap } from '@docent/contract'
import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'

interface Props {
  botId: string
  rotated: Key | null
  onClose: () => void
  onDone: (secrets: { key?: string; webhook_secret?: string }) => void
}

export function RotateKey({ botId, rotated, onClose, onDone }: Props) {
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
