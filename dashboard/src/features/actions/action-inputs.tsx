import { INPUTS_PER_ACTION } from '@docent/contract/limits'
import { ActionIcon, Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { INPUT_TYPES, type InputDraft, type InputType, nameOf, newInput } from './action-draft.ts'
import { texts } from './action-texts.ts'
import { fieldProblem, groupProblem } from './field-problem.ts'

interface Props {
  inputs: InputDraft[]
  error: unknown
  onChange: (inputs: InputDraft[]) => void
}

/** What an action needs to know, in the order in which it is asked for. */
export function ActionInputs({ inputs, error, onChange }: Props) {
  const problem = groupProblem(error, 'inputs')
  const move = (from: number, to: number) => {
    const newOrder = [...inputs]
    newOrder.splice(to, 0, ...newOrder.splice(from, 1))
    onChange(newOrder)
  }
  return (
    <div className="stack">
      {inputs.length > 0 && (
        <ol className="stack" aria-label={texts.inputs}>
          {inputs.map((input, index) => (
            <ActionInputFields
              key={input.key}
              input={input}
              problemOf={(field) => fieldProblem(error, `inputs.${index}.${field}`)}
              isFirst={index === 0}
              isLast={index === inputs.length - 1}
              onChange={(changedInput) =>
                onChange(inputs.map((each) => (each.key === input.key ? changedInput : each)))
              }
              onMove={(step) => move(index, index + step)}
              onRemove={() => onChange(inputs.filter(({ key }) => key !== input.key))}
            />
          ))}
        </ol>
      )}
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      {inputs.length < INPUTS_PER_ACTION && (
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => onChange([...inputs, newInput()])}
          >
            {texts.addInput}
          </Button>
        </div>
      )}
    </div>
  )
}

interface InputProps {
  input: InputDraft
  problemOf: (field: string) => string | null
  isFirst: boolean
  isLast: boolean
  onChange: (input: InputDraft) => void
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

function ActionInputFields({ input, problemOf, isFirst, isLast, onChange, onMove, onRemove }: InputProps) {
  const { general } = useTexts()
  const change = (part: Partial<InputDraft>) => onChange({ ...input, ...part })
  const title = input.description.trim() || input.name.trim() || texts.newInput
  // The name follows the description until it is written by hand.
  const describe = (description: string) =>
    change({ description, ...(input.name === nameOf(input.description) ? { name: nameOf(description) } : {}) })
  return (
    <li className="boxed">
      <div className="boxed-head">
        <strong>{title}</strong>
        <div className="inline-tight">
          <InputButton icon="up" label={texts.up(title)} disabled={isFirst} onClick={() => onMove(-1)} />
          <InputButton icon="down" label={texts.down(title)} disabled={isLast} onClick={() => onMove(1)} />
          <InputButton icon="trash" label={texts.removeInput(title)} onClick={onRemove} />
        </div>
      </div>
      <div className="pair">
        <TextInput
          label={texts.inputDescription}
          required
          maxLength={200}
          value={input.description}
          error={problemOf('description')}
          onChange={(event) => describe(event.currentTarget.value)}
        />
        <Select
          label={texts.type}
          data={INPUT_TYPES.map((value) => ({ value, label: texts.types[value] }))}
          value={input.type}
          error={problemOf('type')}
          onChange={(type) => type && change({ type: type as InputType })}
        />
      </div>
      <TextInput
        label={texts.inputName}
        description={texts.inputNameHint}
        required
        maxLength={40}
        pattern="[a-z][a-z0-9_]*"
        title={texts.inputNameHint}
        spellCheck={false}
        value={input.name}
        error={problemOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {input.type === 'choice' && (
        <Textarea
          label={texts.choices}
          description={texts.choicesHint}
          required
          autosize
          minRows={2}
          maxRows={10}
          value={input.choices}
          error={problemOf('choices')}
          onChange={(event) => change({ choices: event.currentTarget.value })}
        />
      )}
      {input.type === 'string' && (
        <TextInput
          label={`${texts.pattern} (${general.optional})`}
          description={texts.patternHint}
          maxLength={200}
          spellCheck={false}
          value={input.pattern}
          error={problemOf('pattern')}
          onChange={(event) => change({ pattern: event.currentTarget.value })}
        />
      )}
      <Checkbox
        label={texts.required}
        description={texts.requiredHint}
        checked={input.required}
        onChange={(event) => change({ required: event.currentTarget.checked })}
      />
      {input.required && (
        <TextInput
          label={`${texts.ask} (${general.optional})`}
          description={texts.askHint}
          maxLength={300}
          value={input.ask}
          error={problemOf('ask')}
          onChange={(event) => change({ ask: event.currentTarget.value })}
        />
      )}
    </li>
  )
}

interface ButtonProps {
  icon: 'up' | 'down' | 'trash'
  label: string
  disabled?: boolean
  onClick: () => void
}

function InputButton({ icon, label, disabled = false, onClick }: ButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} size={18} />
    </ActionIcon>
  )
}
