import type { Bot } from '@docent/contract'
import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import { Select, TextInput } from '@mantine/core'
import { useApiList } from '../../api.ts'
import { useTexts } from '../../texts/texts.tsx'
import { BUTTON_TYPES, type ButtonDraft, type ButtonType, newButton } from './flow-draft.ts'
import { texts } from './flow-texts.ts'
import { ItemList } from './item-list.tsx'

interface Props {
  bot: Bot
  label: string
  buttons: ButtonDraft[]
  onChange: (buttons: ButtonDraft[]) => void
}

export function ButtonFields({ bot, label, buttons, onChange }: Props) {
  return (
    <ItemList
      label={label}
      items={buttons}
      max={BUTTONS_PER_PLACE}
      add={{ label: texts.addButton, make: newButton }}
      titleOf={(button) => button.label.trim() || texts.newButton}
      onChange={onChange}
    >
      {(button, change) => (
        <>
          <div className="pair">
            <TextInput
              label={texts.label}
              required
              maxLength={200}
              value={button.label}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            <Select
              label={texts.does}
              data={BUTTON_TYPES.map((value) => ({ value, label: texts.types[value] }))}
              allowDeselect={false}
              value={button.type}
              onChange={(type) => type && change({ type: type as ButtonType })}
            />
          </div>
          <TargetField bot={bot} button={button} change={change} />
        </>
      )}
    </ItemList>
  )
}

interface TargetProps {
  bot: Bot
  button: ButtonDraft
  change: (part: Partial<ButtonDraft>) => void
}

/** Where the button leads. */
function TargetField({ bot, button, change }: TargetProps) {
  const { general } = useTexts()
  switch (button.type) {
    case 'question':
      return (
        <TextInput
          label={`${texts.question} (${general.optional})`}
          description={texts.questionHint}
          maxLength={500}
          value={button.question}
          onChange={(event) => change({ question: event.currentTarget.value })}
        />
      )
    case 'action':
      return <ActionField botId={bot.id} actionId={button.actionId} onChange={(actionId) => change({ actionId })} />
    case 'page':
      return (
        <TextInput
          label={texts.url}
          required
          inputMode="url"
          maxLength={2000}
          placeholder="https://"
          value={button.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
      )
    default: {
      const isOff = button.type === 'person' && !bot.handover.enabled
      const problem = (isOff || button.type === 'form') && !bot.lead_form ? texts.noForm : isOff ? texts.noPeople : null
      return problem && <p className="quiet small">{problem}</p>
    }
  }
}

function ActionField(props: { botId: string; actionId: string; onChange: (actionId: string) => void }) {
  const { botId, actionId, onChange } = props
  const { items: actions, data } = useApiList('GET /api/manage/v1/bots/{botId}/actions', { params: { botId } })
  const chosenAction = actions.find(({ id }) => id === actionId)
  const isGone = data !== undefined && actionId !== '' && !chosenAction
  return (
    <Select
      label={texts.action}
      required
      searchable
      data={actions.map(({ id, name, state }) => ({
        value: id,
        label: state === 'live' ? name : texts.draft(name),
      }))}
      value={chosenAction ? actionId : null}
      error={isGone && texts.gone}
      description={chosenAction?.state === 'draft' && texts.draftHint}
      nothingFoundMessage={texts.noActions}
      onChange={(id) => onChange(id ?? '')}
    />
  )
}
