import { LEAD_FIELDS } from '@docent/contract/limits'
import { ActionIcon, Button, Checkbox, Menu, Select, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type FieldDraft, isKnownField, knownFields, makeField } from './handover-draft.ts'

interface Props {
  fields: FieldDraft[]
  onChange: (fields: FieldDraft[]) => void
}

/** The fields of a form, in order. */
export function LeadFields({ fields, onChange }: Props) {
  const { handover: texts } = useTexts()
  const move = (from: number, to: number) => {
    const newOrder = [...fields]
    newOrder.splice(to, 0, ...newOrder.splice(from, 1))
    onChange(newOrder)
  }
  return (
    <div className="stack tight">
      <span className="field-label">{texts.fields}</span>
      <ol className="stack tight" aria-label={texts.fields}>
        {fields.map((field, index) => (
          <LeadField
            key={field.key}
            field={field}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
            isOnly={fields.length === 1}
            onChange={(changedField) => onChange(fields.map((each) => (each.key === field.key ? changedField : each)))}
            onMove={(step) => move(index, index + step)}
            onRemove={() => onChange(fields.filter(({ key }) => key !== field.key))}
          />
        ))}
      </ol>
      {fields.length < LEAD_FIELDS && <AddField fields={fields} onAdd={(field) => onChange([...fields, field])} />}
    </div>
  )
}

function AddField({ fields, onAdd }: { fields: FieldDraft[]; onAdd: (field: FieldDraft) => void }) {
  const { handover: texts } = useTexts()
  const unusedFields = knownFields.filter((name) => !fields.some((field) => field.name === name))
  return (
    <div>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="plus" size={16} />}>
            {texts.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {unusedFields.map((name) => (
            <Menu.Item key={name} onClick={() => onAdd(makeField(name))}>
              {texts.known[name]}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => onAdd(makeField(null))}>{texts.custom}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

interface FieldProps {
  field: FieldDraft
  isFirst: boolean
  isLast: boolean
  isOnly: boolean
  onChange: (field: FieldDraft) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function LeadField({ field, isFirst, isLast, isOnly, onChange, onMove, onRemove }: FieldProps) {
  const { handover: texts } = useTexts()
  const isKnown = isKnownField(field.name)
  const name = isKnownField(field.name) ? texts.known[field.name] : field.label.trim() || texts.newField
  return (
    <li className="boxed">
      <div className="boxed-head">
        <strong>{name}</strong>
        <div className="inline-tight">
          <FieldButton icon="up" label={texts.up(name)} disabled={isFirst} onClick={() => onMove(-1)} />
          <FieldButton icon="down" label={texts.down(name)} disabled={isLast} onClick={() => onMove(1)} />
          <FieldButton icon="trash" label={texts.remove(name)} disabled={isOnly} onClick={onRemove} />
        </div>
      </div>
      <div className="pair">
        <TextInput
          label={texts.label}
          {...(isKnown ? { description: texts.labelHint } : { required: true })}
          maxLength={80}
          value={field.label}
          onChange={(event) => onChange({ ...field, label: event.currentTarget.value })}
        />
        {!isKnown && (
          <Select
            label={texts.type}
            data={Object.entries(texts.types).map(([value, label]) => ({ value, label }))}
            value={field.type}
            onChange={(value) => value && onChange({ ...field, type: value as FieldDraft['type'] })}
          />
        )}
      </div>
      <Checkbox
        label={texts.required}
        checked={field.required}
        onChange={(event) => onChange({ ...field, required: event.currentTarget.checked })}
      />
    </li>
  )
}

function FieldButton(props: { icon: 'up' | 'down' | 'trash'; label: string; disabled: boolean; onClick: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} size={18} />
    </ActionIcon>
  )
}
