import type { ChannelKind, NotificationChannel } from '@docent/contract'
import { Checkbox, Modal, NumberInput, SegmentedControl, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Periods, Timezone } from '../handover/periods.tsx'
import { type ChannelDraft, eventTypes, isChannelComplete, kinds, readChannel, writeChannel } from './channel-draft.ts'

interface Props {
  botId: string
  /** The channel to edit, or 'new'; null closes the form. */
  edited: NotificationChannel | 'new' | null
  onClose: () => void
}

export function ChannelForm({ edited, onClose, botId }: Props) {
  const { notifications: texts } = useTexts()
  const title = edited === 'new' ? texts.create : texts.editTitle
  return (
    <Modal opened={edited !== null} onClose={onClose} title={title} size="lg">
      {edited && <Fields botId={botId} edited={edited} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ botId, edited, onClose }: Props & { edited: NotificationChannel | 'new' }) {
  const { notifications: texts, general } = useTexts()
  const { smtp } = useSession()
  const old = edited === 'new' ? null : edited
  const [draft, setDraft] = useState(() => readChannel(old, smtp ? 'email' : 'slack'))
  const change = (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part }))
  const acting = { silent: true, done: general.saved, onDone: onClose }
  const create = useApiMutation('POST /api/manage/v1/bots/{botId}/notification-channels', acting)
  const update = useApiMutation('PATCH /api/manage/v1/bots/{botId}/notification-channels/{channelId}', acting)
  const body = writeChannel(draft)
  const submit = () =>
    old
      ? update.mutate({ params: { botId, channelId: old.id }, body })
      : create.mutate({ params: { botId }, body: { kind: draft.kind, ...body } })
  const error = create.error ?? update.error
  return (
    <Form
      onCancel={onClose}
      action={old ? general.save : texts.submit}
      pending={create.isPending || update.isPending}
      error={error}
      disabled={!isChannelComplete(draft) || (draft.kind === 'email' && !smtp)}
      onSubmit={submit}
    >
      {!old && (
        <Select
          label={texts.kind}
          data={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
          value={draft.kind}
          allowDeselect={false}
          data-autofocus
          onChange={(kind) => kind && change({ kind: kind as ChannelKind })}
        />
      )}
      <Target draft={draft} old={old} change={change} error={error} />
      <TextInput
        label={general.name}
        maxLength={200}
        placeholder={texts.kinds[draft.kind]}
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={texts.events}
        value={draft.events}
        onChange={(events) => change({ events })}
        error={draft.events.length === 0 ? texts.eventsHint : null}
      >
        <div className="checks">
          {eventTypes.map((each) => (
            <Checkbox key={each} value={each} label={texts.event[each]} />
          ))}
        </div>
      </Checkbox.Group>
      {draft.events.includes('handover.waiting') && (
        <NumberInput
          label={texts.waiting}
          min={1}
          max={1440}
          allowDecimal={false}
          value={draft.waitingMinutes}
          onChange={(value) => change({ waitingMinutes: Number(value) || 1 })}
        />
      )}
      <Timing draft={draft} change={change} />
      <Switch
        label={texts.details}
        description={texts.detailsHint}
        checked={draft.includeDetails}
        onChange={(event) => change({ includeDetails: event.currentTarget.checked })}
      />
    </Form>
  )
}

interface TargetProps {
  draft: ChannelDraft
  old: NotificationChannel | null
  change: (part: Partial<ChannelDraft>) => void
  error: unknown
}

function Target({ draft, old, change, error }: TargetProps) {
  const { notifications: texts } = useTexts()
  const { smtp } = useSession()
  if (draft.kind !== 'email')
    return (
      <TextInput
        label={texts.url}
        description={old?.url_hint ? texts.urlStays(old.url_hint) : texts.urlHints[draft.kind]}
        inputMode="url"
        placeholder="https://"
        required={!old}
        value={draft.url}
        error={fieldError(error, 'url') ?? null}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
    )
  return (
    <>
      {!smtp && <Notice tone="warn">{texts.noSmtp}</Notice>}
      <Textarea
        label={texts.recipients}
        description={texts.recipientsHint}
        autosize
        minRows={2}
        maxRows={10}
        required
        value={draft.recipients}
        error={fieldError(error, 'recipients') ?? null}
        onChange={(event) => change({ recipients: event.currentTarget.value })}
      />
    </>
  )
}

interface TimingProps {
  draft: ChannelDraft
  change: (part: Partial<ChannelDraft>) => void
}

/** Immediately except for quiet hours, or once a day. */
function Timing({ draft, change }: TimingProps) {
  const { notifications: texts } = useTexts()
  const { isDigest, quietHours } = draft
  return (
    <>
      <SegmentedControl
        aria-label={texts.when}
        data={[
          { value: 'now', label: texts.timing.now },
          { value: 'digest', label: texts.timing.digest },
        ]}
        value={isDigest ? 'digest' : 'now'}
        onChange={(value) => change({ isDigest: value === 'digest' })}
      />
      {isDigest ? (
        <TextInput
          type="time"
          label={texts.digestAt}
          value={draft.digestAt}
          onChange={(event) => change({ digestAt: event.currentTarget.value })}
        />
      ) : (
        <fieldset className="form bare" aria-label={texts.quiet}>
          <strong>{texts.quiet}</strong>
          <p className="quiet small">{texts.quietAbout}</p>
          <Periods periods={quietHours} onChange={(periods) => change({ quietHours: periods })} />
        </fieldset>
      )}
      {(isDigest || quietHours.length > 0) && (
        <Timezone timezone={draft.timezone} onChange={(timezone) => change({ timezone })} />
      )}
    </>
  )
}
