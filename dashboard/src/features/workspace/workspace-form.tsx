import type { Plan, Workspace } from '@docent/contract'
import { DEFAULT_DAILY_LIMIT } from '@docent/contract/limits'
import { Modal, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'

/** The workspace to edit, or 'new'; null closes the form. */
type Edited = Workspace | 'new' | null

export function WorkspaceForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const { instance: texts } = useTexts()
  return (
    <Modal opened={edited !== null} onClose={onClose} title={edited === 'new' ? texts.create : texts.edit}>
      {edited && <Fields edited={edited} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ edited, onClose }: { edited: NonNullable<Edited>; onClose: () => void }) {
  const { instance: texts, usage, general } = useTexts()
  const old = edited === 'new' ? null : edited
  const [name, setName] = useState(old?.name ?? '')
  const [plan, setPlan] = useState<Plan>(old?.plan ?? 'business')
  const [limit, setLimit] = useState<number | string>(old?.daily_limit ?? '')
  const [total, setTotal] = useState<number | string>(old?.total_daily_limit ?? '')
  const create = useApiMutation('POST /api/manage/v1/workspaces', {
    silent: true,
    done: texts.created,
    onDone: onClose,
  })
  const change = useApiMutation('PATCH /api/manage/v1/workspaces/{workspaceId}', {
    silent: true,
    done: general.saved,
    onDone: onClose,
  })
  const body = {
    name,
    plan,
    daily_limit: typeof limit === 'number' ? limit : null,
    total_daily_limit: typeof total === 'number' ? total : null,
  }
  return (
    <Form
      onCancel={onClose}
      action={old ? general.save : texts.submit}
      pending={create.isPending || change.isPending}
      error={create.error ?? change.error}
      onSubmit={() => (old ? change.mutate({ params: { workspaceId: old.id }, body }) : create.mutate({ body }))}
    >
      <TextInput
        label={general.name}
        required
        data-autofocus
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={usage.plan}
        data={Object.entries(usage.plans).map(([value, label]) => ({ value, label }))}
        value={plan}
        onChange={(value) => value && setPlan(value as Plan)}
      />
      <NumberInput
        label={texts.limit}
        description={texts.limitHint(formatNumber(DEFAULT_DAILY_LIMIT))}
        min={0}
        value={limit}
        onChange={setLimit}
      />
      <NumberInput label={texts.total} description={texts.totalHint} min={0} value={total} onChange={setTotal} />
    </Form>
  )
}
