import { Button, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LeadFields } from '../handover/lead-fields.tsx'
import { type AppearanceDraft, MAX_MESSAGES, makeMessage, type ProactiveDraft } from './appearance-draft.ts'

interface Props {
  draft: AppearanceDraft
  change: (part: Partial<AppearanceDraft>) => void
}

export function ProactiveFields({ draft: { messages }, change }: Props) {
  const { appearance: texts } = useTexts()
  const set = (next: ProactiveDraft[]) => change({ messages: next })
  return (
    <>
      {messages.length > 0 && (
        <ol className="stack tight" aria-label={texts.proactive}>
          {messages.map((each, index) => (
            <ProactiveField
              key={each.key}
              title={texts.messageOf(index + 1)}
              value={each}
              onChange={(changedMessage) => set(messages.map((one) => (one.key === each.key ? changedMessage : one)))}
              onRemove={() => set(messages.filter(({ key }) => key !== each.key))}
            />
          ))}
        </ol>
      )}
      {messages.length < MAX_MESSAGES && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => set([...messages, makeMessage()])}
          >
            {texts.addMessage}
          </Button>
        </div>
      )}
    </>
  )
}

interface FieldProps {
  title: string
  value: ProactiveDraft
  onChange: (value: ProactiveDraft) => void
  onRemove: () => void
}

function ProactiveField({ title, value, onChange, onRemove }: FieldProps) {
  const { appearance: texts, general } = useTexts()
  return (
    <li className="boxed">
      <div className="boxed-head">
        <strong>{title}</strong>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={onRemove}
          aria-label={texts.removeMessage(title)}
        >
          {texts.removePicture}
        </Button>
      </div>
      <TextInput
        label={texts.message}
        required
        maxLength={300}
        value={value.message}
        onChange={(event) => onChange({ ...value, message: event.currentTarget.value })}
      />
      <div className="pair">
        <NumberInput
          label={texts.delay}
          min={0}
          max={3600}
          allowDecimal={false}
          value={value.delay}
          onChange={(delay) => typeof delay === 'number' && onChange({ ...value, delay })}
        />
        <TextInput
          label={`${texts.pages} (${general.optional})`}
          description={texts.pagesHint}
          inputWrapperOrder={['label', 'input', 'description']}
          maxLength={500}
          value={value.pages}
          onChange={(event) => onChange({ ...value, pages: event.currentTarget.value })}
        />
      </div>
    </li>
  )
}

/** The form that visitors fill in before they write. */
export function PreChatFields({ draft, change }: Props) {
  const { appearance: texts, handover, general } = useTexts()
  return (
    <>
      <Switch
        label={texts.preChatOn}
        checked={draft.asksFirst}
        onChange={(event) => change({ asksFirst: event.currentTarget.checked })}
      />
      {draft.asksFirst && (
        <>
          <TextInput
            label={`${handover.intro} (${general.optional})`}
            maxLength={500}
            value={draft.intro}
            onChange={(event) => change({ intro: event.currentTarget.value })}
          />
          <LeadFields fields={draft.fields} onChange={(fields) => change({ fields })} />
          <Textarea
            label={`${handover.consent} (${general.optional})`}
            description={handover.consentHint}
            autosize
            minRows={1}
            maxLength={1000}
            value={draft.consent}
            onChange={(event) => change({ consent: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}

export function ConversationFields({ draft, change }: Props) {
  const { appearance: texts } = useTexts()
  return (
    <>
      <Switch
        label={texts.attachments}
        description={texts.attachmentsHint}
        checked={draft.attachments}
        onChange={(event) => change({ attachments: event.currentTarget.checked })}
      />
      <Switch
        label={texts.rating}
        description={texts.ratingHint}
        checked={draft.rating}
        onChange={(event) => change({ rating: event.currentTarget.checked })}
      />
      <Switch
        label={texts.sound}
        description={texts.soundHint}
        checked={draft.sound}
        onChange={(event) => change({ sound: event.currentTarget.checked })}
      />
    </>
  )
}
